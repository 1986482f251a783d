import ts from 'typescript';

/** Finds the regular expressions of TypeScript sources, with the compiler's own parser. */

/**
 * Returns every regular expression of a source: literals, and `new RegExp` of texts that can be computed from constants
 * of the same file. `source` is undefined where it cannot be computed.
 */
export function regularExpressionsIn(file, text) {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
  const constants = constantsOf(tree);
  const found = [];
  const add = (node, source, flags) => {
    const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1;
    found.push({ file, line, text: node.getText(tree), source, flags });
  };
  const visit = (node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      add(node, node.text.slice(1, end), node.text.slice(end + 1));
    } else if (isRegExpCall(node)) {
      const [pattern, flags] = node.arguments ?? [];
      if (!pattern || !ts.isRegularExpressionLiteral(pattern)) {
        add(node, pattern && textOf(pattern, constants), flags ? textOf(flags, constants) : '');
      }
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

function isRegExpCall(node) {
  return (ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp';
}

/** Returns the initial values of the file's constants, by name. A name that is declared twice has none. */
function constantsOf(tree) {
  const constants = new Map();
  const visit = (node) => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const isConst = ts.isVariableDeclarationList(node.parent) && node.parent.flags & ts.NodeFlags.Const;
      constants.set(node.name.text, isConst && !constants.has(node.name.text) ? node.initializer : undefined);
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return constants;
}

/** Returns the value of an expression as text; undefined when it depends on more than constants. */
function textOf(node, constants) {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isIdentifier(node)) {
    const initializer = constants.get(node.text);
    return initializer && textOf(initializer, constants);
  }
  if (ts.isPropertyAccessExpression(node) && node.name.text === 'source') {
    const literal = ts.isIdentifier(node.expression) ? constants.get(node.expression.text) : node.expression;
    return literal && ts.isRegularExpressionLiteral(literal)
      ? literal.text.slice(1, literal.text.lastIndexOf('/'))
      : undefined;
  }
  if (ts.isTaggedTemplateExpression(node)) {
    return node.tag.getText() === 'String.raw'
      ? templateOf(node.template, constants, ({ rawText }) => rawText)
      : undefined;
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [textOf(node.left, constants), textOf(node.right, constants)];
    return left === undefined || right === undefined ? undefined : left + right;
  }
  if (ts.isTemplateExpression(node)) return templateOf(node, constants, ({ text }) => text);
  return undefined;
}

function templateOf(template, constants, part) {
  if (ts.isNoSubstitutionTemplateLiteral(template)) return part(template);
  let text = part(template.head);
  for (const { expression, literal } of template.templateSpans) {
    const value = textOf(expression, constants);
    if (value === undefined) return undefined;
    text += value + part(literal);
  }
  return text;
}
