import type { Language } from './language.js';

export const portuguese: Language = {
  code: /\bnumero secreto\b|\bpalavra-chave\b|\bcodigos?\b|\bsenha (?:temporaria|de uso unico|descartavel|unica)\b|\bpalavra-passe (?:temporaria|de utilizacao unica)\b|\bpin\b|\btoken\b|\botp\b|\bchave (?:temporaria|unica|de (?:acesso|seguranca|uso unico))\b|\bnumero de (?:verificacao|seguranca)\b/g,
  weak: /\b(?:usa|use|utilize|aplique|com) o codigo\b|\bcodigos? (?:de |do |da )(?!(?:verificacao|seguranca|confirmacao|acesso|validacao|ativacao|autenticacao|identificacao|recuperacao|backup|entrega|recolha|retirada|levantamento|desbloqueio|uso|utilizacao|redefinicao|registo|cadastro|login|assinatura|pagamento|quatro|seis|vinculacao|operacao|transacao|sessao|inicio))[a-z]{3,20}\b|\bcodigos? de (?:autorizacao|entrada|convite)\b|(?:numeros?|algarismos|digitos|letras|caracteres|combinacao|sequencia|senha)(?<=\b(?:este|esta|estes|estas|seguintes?|o|os|as|a) (?:[a-z-]{1,14} )?(?:numeros?|algarismos|digitos|letras|caracteres|combinacao|sequencia|senha))\b(?! d[aeo]\b)/g,
  label:
    /\bcodigos? (?:(?:d[aeo] )?(?:portao|cofre|garagem|predio|alarme)|promocional|promocionais|de (?:desconto|promocao|cupom|reserva|rastreio|rastreamento|barras|produto|erro|area|pais|cliente|indicacao|presente|pedido|referencia|envio|oferta|localizacao)|desconto|postal|postais|qr|swift|bic|fonte|localizador|da reserva)\b|\b(?:numero|num|n°|nº|no|referencia|ref|id)s?\.? ?(?:de |do |da )?(?:seu |sua )?(?:pedido|fatura|nota|nota fiscal|rastreio|rastreamento|cliente|ticket|chamado|caso|reserva|voo|telefone|contrato|conta|serie|socio|cartao|transacao|apolice|encomenda|envio|protocolo|processo|recibo|lote|reuniao|confirmacao|matricula)\b|\b(?:protocolo|localizador|cnpj|cpf|nif|cep|iban|bic|terminad[oa] em|final|ultimos (?:quatro|4) digitos|central de atendimento|sac)\b/g,
  noun: /\b(?:pedido|fatura|ticket|chamado|caso|reserva|conta|cliente|tel|telefone|fax|celular|telemovel|no|nº|numero|ref|referencia|versao|desde|ano|quarto|pagina|linha|artigo|id|ligue|total|valor|saldo|quantidade|voo|trem|comboio|portao|assento|encomenda|nota|mais de|cerca de|de|do|da|o|em|ate|erro|os|as|nossos|e)\b/g,
  enter:
    /\b(?:insira|introduza|digite|digita|use|utilize|informe|escreva|copie|cole|inserir|digitar|coloque|forneca|mostre|apresente|diga|passe|preencha|indique|introduzir|utilizar|colar|colando|escrever|copiar|basta|dite|transmita|repita|dize[rn]|entregue|marque|anote|lance|leia|responda|envie|mostrar|apresentar|informar|coloca|escreve|cola|copia|mostra|diz|insere|introduz|indica)\b/g,
  sign: /\b(?:cifras|digitos|algarismos|numeros|letras|caracteres|combinacao|sequencia|serie|chave|senha|palavra-(?:passe|chave)|palavra secreta|frase secreta|token|segredo|contrassenha)\b/g,
  lead: /\bdepois\b|\b(?:e|sao|sera|com|como|seguinte|seguintes|isto|isso|aqui|este|esta|aberta|a)\b/g,
  purpose:
    /\biniciar sessao\b|\bentrar\b|\bacess(?:ar|o)\b|\baceder\b|\blogin\b|\bverific|\bconfirm|\bautentic|\bduas etapas\b|\bdois fatores\b|\bexpira|\bvalid[oa]\b|\bredefin|\bativ(?:ar|e)\b|\bnao (?:o )?(?:compartilhe|partilhe)|\bcontinuar\b|\bconcluir\b|\buso unico\b|\bidentidade\b|\be voce\b|\bautoriz|\baprov|\bterminar\b|\bfinalizar\b|\bretirar\b|\bretirada\b|\bentregador|\bestafeta\b|\brecuper|\bregist|\bdesbloque|\bliberar\b|\bliberacao\b|\bcadastro\b|\bvincular|\bparear|\bnovo (?:dispositivo|acesso|aparelho)|\bfoi voce\b|\bmotoboy|\barmario|\bcacifo|\bcaixa eletronico|\bmultibanco|\bassinar\b|\bnova senha|\buma (?:unica|so) vez|\bdeixa de funcionar|\bao receber\b/g,
  booking: /\b(?:reserva|hotel|voo|hospedes|noites|estadia|embarque|hospedagem|itinerario)\b/g,
  verify: /\b(?:verific|confirm|valid|ativ)(?:a|ar|e|o)\b/,
  reset: /\bredefinir\b/,
  change: /\b(?:redefin|alter|troc|mud|nova|cri|recuper|esquec|defin|repor|reset)/g,
  password: /\b(?:senha|palavra-passe|pin)\b/g,
  magic: /\b(?:iniciar sessao|entrar|fazer login|acessar|aceder|link magico|link de acesso)\b/,
  invite:
    /\bconvite|\bconvid|\b(?:entrar na|entrar no|juntar-se a|juntar-me a|participar d[ao]) (?:equipe|equipa|espaco|grupo|projeto|organizacao|time|familia)/,
  unsubscribe:
    /\bnao (?:quero|desejo) (?:mais )?receber|\bnao receber mais\b|\bcancelar (?:a |minha |sua )?(?:inscricao|assinatura|subscricao)|\bdescadastr|\bdesinscrev|\bcancele (?:a |sua )?(?:inscricao|subscricao)|\bdeixar de receber|\bnao (?:deseja|quer|quiser|desejar) (?:mais )?(?:receber|continuar)|\banular (?:a )?subscricao|\bremover (?:meu )?e-?mail/,
};
