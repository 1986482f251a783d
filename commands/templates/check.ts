import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { withFileChecks } from '../../src/cli/emails/check/check-file.js';
import { shortfall, type Thresholds, thresholdFlags, thresholdsOf } from '../../src/cli/emails/check/thresholds.js';
import { comparisonFlags, requireBaseline } from '../../src/cli/emails/pictures.js';
import { exitCodes } from '../../src/cli/errors/exit-codes.js';
import { oneLine } from '../../src/cli/output/text.js';
import { prepareReportFile, writeReportFile } from '../../src/cli/server/report/report.js';
import { checkTemplate, chosenTemplates, type TemplateResult } from '../../src/cli/templates/check-content.js';
import { comparePictures } from '../../src/cli/templates/check-templates.js';
import { describeTemplate, junitOfTemplates } from '../../src/cli/templates/describe-content.js';
import { codeFlag, templateArgs } from '../../src/cli/templates/directory.js';
import { openProgress } from '../../src/cli/terminal/progress.js';
import { plural } from '../../src/contract/vocabulary/text.js';

/** Failed checks of a lower severity are advice. */
const FAIL_ON = 'warning';

export default class TemplatesCheck extends BaseCommand {
  static override summary = 'Check the content of template files';

  static override description =
    'Renders each template with its sample.json and sample.NAME.json, without a server, and checks how mail clients support the HTML and CSS, ' +
    'with a score from 0 to 100, and images, contrast, links, size, plain text, preheader, placeholders without a value ' +
    'and spam patterns. Requests no link. Prints the file, line and column of what it found, and exits with 3 if a check ' +
    'failed.';

  static override exitCodes = { 3: 'A template does not meet --fail-on or --min-score.' };

  static override examples = [
    '<%= config.bin %> templates check ./emails',
    {
      description: 'Check one template with a lowest score in Gmail and Apple Mail',
      command: '<%= config.bin %> templates check ./emails welcome --min-score 60 --client gmail --client apple-mail',
    },
    {
      description: 'Fail on errors only, and write a report for CI',
      command: '<%= config.bin %> templates check ./emails --fail-on error --junit svc-templates.xml',
    },
    {
      description: 'Write the pictures that later runs without --update compare with',
      command: '<%= config.bin %> templates check ./emails --baseline pictures --update',
    },
  ];

  static override args = templateArgs;

  static override strict = false;

  static override flags = {
    ...thresholdFlags(FAIL_ON),
    baseline: Flags.string({
      description: 'Directory of pictures to compare the templates with, without IDs and times.',
      helpValue: 'DIRECTORY',
    }),
    ...comparisonFlags,
    ...codeFlag,
    update: Flags.boolean({ description: 'Write the pictures of --baseline.' }),
    junit: Flags.string({ description: 'JUnit XML file to write the result to.', helpValue: 'FILE' }),
  };

  async run(): Promise<void> {
    const { args, argv, flags } = await this.parse(TemplatesCheck);
    const names = (argv as string[]).slice(1);
    const { junit, baseline } = flags;
    requireBaseline(flags);
    if (junit !== undefined) prepareReportFile(junit);
    const thresholds = await thresholdsOf(flags, FAIL_ON);
    const chosen = await chosenTemplates(args.directory, names, flags);
    const templates: TemplateResult[] = [];
    const progress = openProgress('Checking templates', flags);
    await withFileChecks(async (checks) => {
      for (const each of chosen) {
        progress.at(templates.length, chosen.length);
        templates.push('problem' in each ? each : await checkTemplate(each, checks, thresholds.views));
      }
    }).finally(progress.clear);
    const readable = chosen.filter((each) => 'rendered' in each);
    const compared = baseline === undefined ? [] : await comparePictures(readable, baseline, flags);
    const pictures = new Map(compared.map((each, index) => [readable[index]?.template.directory, each]));
    const results = templates.map((result) => {
      const ofTemplate = pictures.get(result.directory);
      return { ...result, ...(ofTemplate && { pictures: ofTemplate }) };
    });
    const problems = results.map((result) => ({ name: oneLine(result.name), found: problemsOf(result, thresholds) }));
    const failed = problems.filter(({ found }) => found.length > 0);
    this.print({ passed: failed.length === 0, templates: results }, () =>
      results.map((result) => describeTemplate(result, thresholds)),
    );
    if (junit !== undefined) writeReportFile(junit, junitOfTemplates(results, thresholds));
    for (const { name, found } of failed) for (const problem of found) this.status(`${name}: ${problem}`);
    this.info(`${plural(templates.length, 'template')} checked, ${failed.length} failed.`);
    if (failed.length > 0) process.exitCode = exitCodes.assertionFailed;
  }
}

/** Returns why a template fails, in short: the report has the details. */
function problemsOf(result: TemplateResult, thresholds: Thresholds): string[] {
  const content = 'problem' in result ? 'not checked.' : shortfall(result, thresholds);
  const differing = (result.pictures ?? []).filter(({ passed }) => !passed).length;
  const pictures = differing > 0 ? `${plural(differing, 'picture')} failed.` : undefined;
  return [content, pictures].filter((each) => each !== undefined);
}
