import type { Language } from './language.js';

/** Words in front of "code" after which it can be a one-time code, in languages with that word. */
const MODIFIERS =
  'votre|vos|notre|ton|ce|le|un|du|les|voici|dein|ihr|den|der|einen|diesen?|folgenden|deinen|ihren|tu|su|' +
  'el|este|il|tuo|suo|questo|seu|um|je|uw|jouw|deze|onze|de|het|een|dit|twoj|ten|din|verification|verify|' +
  String.raw`security|secure|safety|access|log-?in|sign-?in|in|up|log|sign|auth\w*|confirmation|one|time|off|use|` +
  'single-use|one-time|one-off|passcode|otp|pin|sms|email|mail|e-mail|activation|2fa|mfa|totp|factor|step|' +
  'digits?|character|letter|recovery|backup|reset|unlock|pairing|device|your|our|the|this|that|a|an|my|new|' +
  'following|temporary|secret|unique|registration|setup|numeric|alphanumeric|collection|pick-?up|delivery|' +
  'release|below|above|correct|another|same|identity|identification|user|password|account|enter|use|using|' +
  'with|and|or|is|of|no|any|each|these|those|tan|quick|short|valid|personal|private|current|latest|sent|' +
  "get|send|see|type|copy|paste|special|here's|s|as|d|secure|guard|transaction|payment|authenticator|" +
  'authentication|transfer|withdrawal|approval|protection|session|link|linking|join|joining|entry|two|four|' +
  'five|six|seven|eight|4|5|6|7|8|to|for|by|resend|request|requested|receive|received|generate|generated';

export const english: Language = {
  code: /\b(?:pass|auth|login|sms)?codes?\b|\botps?\b|\bt?pins?\b|\b(?:one[- ](?:time|off)|single[- ]use|throwaway) (?:[a-z-]{1,12} )?(?:password|passphrase|token|key|number|digits)\b|\b(?:log-?in|sign-?in|security|verification|access|authentication|2fa|mfa|unlock|recovery|pairing) (?:token|number|key|digits|pin)\b|\b(?:temporary|temp|initial|provisional) (?:password|pin|token|key|number)\b/g,
  weak: new RegExp(
    String.raw`\b(?:key|token|number)s? (?:below|above|shown)\b|\b(?:authori[sz]ation|auth|approval|entry|door|gate|invit(?:e|ation)) codes?\b|(?:numbers?|digits|characters|letters|figures|sequence|token|key|password)(?<=\b(?:this|these|the|those|following|below|with) (?:(?:following|below|temporary|one-time|single-use|short|secret|unique|random|security|verification|same|[a-z\d]{1,5}-digit|\d|two|four|five|six|eight) ){0,3}(?:numbers?|digits|characters|letters|figures|sequence|token|key|password))\b(?! (?:ending|that ends|on file))|\b(?:use|apply|quote|with|using|mention|add) code\b|codes?\b(?<=[a-z\d&] codes?)(?<!\b(?:${MODIFIERS}) codes?)(?<!\byour [a-z\d&]{2,16} codes?)`,
    'g',
  ),
  label:
    /\b(?:promo(?:tion(?:al)?)?|discount|coupon|voucher|gift(?: card)?|referral|rewards?|offer|tracking|booking|reservation|postal|post|zip|country|area|dial(?:l?ing)?|error|status|exit|response|http|qr|bar|product|item|order|sort|swift|bic|colou?r|source|dress|reference|ref|customer|company|tax|vat|store|branch|airport|class|course|event|door|gate|style|model|currency|approval|batch|meeting|savings?|partner|affiliate|department|cost|project|tariff|redeem|redemption|reason|claim|parking|reject(?:ion)?|decline|result|return|diagnos(?:is|tic)|procedure|billing|hs|commodity|customs|merchant|category|charge|fault|alarm|abort|paint|fabric|date|asset|inventory|stock|vendor|supplier|job|activity|property|listing|unit|building|garage|wi-?fi|lockbox|room|conference|participant|friend|cheat|creator|student|subject|module|program(?:me)?|exam|cent(?:er|re)|school|catalog(?:ue)?|occupation|industry|plan|rate|fare|vehicle|key|seller|dealer|installer|warranty|loyalty|membership|shopping|special|exclusive|holiday|welcome|birthday|savings)[ -]?codes?\b|\b(?:unicode|encodes?|decodes?|geocodes?|transcodes?|opcodes?)\b|\b(?:exit|fail|return|quit|end|stopp?|crash|respond|terminat|finish|died?|kill|abort)(?:ed|s|ing)? with (?:[a-z]{1,9} )?code\b|\breturn(?:ed|s)? code\b|\blines? of code\b|\bcode of conduct\b|\bcode (?:review|base|snippet|freeze|sample|example|owner)s?\b|\b(?:order|invoice|receipt|tracking|shipment|shipping|parcel|package|consignment|delivery|ticket|case|incident|request|reference|ref|account|customer|client|member(?:ship)?|policy|contract|booking|reservation|confirmation|flight|phone|mobile|fax|vat|tax|serial|model|version|build|batch|lot|meeting|webinar|conference|transaction|payment|purchase|po|part|item|product|card|loyalty|employee|student|patient|registration|license|licence|routing|check|event|subscription|user|session|trace|device|record|document|file|claim|statement|bill|room|seat|gate)[ -]?(?:numbers?|no\b|nr\b|num\b|id\b|ids\b|ref\b|reference|#)|\b(?:passport|iban|bic|isbn|sku|imei|postcode|zip|ending(?: (?:in|with))?|last (?:four|4)(?: digits)?|customer service|hotline|dial(?:-in)?|helpline)\b/g,
  noun: /\b(?:items?|session|user|member|patient|student|employee|badge|locker|bay|slot|van|route|lane|flat|unit|ward|bed|file|docket|matter|mrn|policy|claim|po|sku|street|st|avenue|ave|road|rd|order|invoice|receipt|ticket|case|incident|request|reference|ref|account|customer|booking|reservation|confirmation|flight|room|suite|apt|tel|phone|call|fax|mobile|whatsapp|text|box|version|build|release|id|no|number|nr|year|since|serial|model|issue|commit|error|port|page|row|line|lot|batch|terminal|trace|extension|ext|in|of|from|until|total|amount|balance|points|units|quantity|qty|article|building|floor|copyright|seat|platform|gate|train|bus|job|run|pipeline|pull request|#|late|by|article|paragraph|section|chapter|reg|registered|company|transaction|than|about|over|least|most|nearly|almost|around|only|these|those|all|our|the|other|another|and)\b/g,
  enter:
    /\b(?:enter|entering|use|using|type|typing|input|provide|submit|key in|punch in|paste|copy|insert|give|tell|show|present|reply with|respond with|fill in|put in|pop|tap in|supply|send|send back|key(?: the \w{2,12})?(?= [^.]{0,30}\b(?:in|into|on)\b)|keying|punch|quote|read(?:ing)? (?:it |this |that )?(?:out|back)|drop|write|fill|dictate|repeat|transcribe|retype|respond|relay|hand over)\b/g,
  sign: /\b(?:digits|figures|characters|letters|numerals|symbols|passphrase|passcode|password|secret|token|key|keyword|string|combination|sequence|phrase|credential|code ?word|watchword)s?\b/g,
  lead: /\b(?:is|are|it's|be|to|with|using|via|this|that|below|following|now|here|simply|just|please|them|him|her|us|it|say|as)\b/g,
  purpose:
    /\bsign(?:ing)?[ -]?(?:in|up)\b|\blog(?:ging)?[ -]?(?:in|on)\b|\bverif(?:y|ying|ication)\b|\bconfirm(?:ing)?\b|\bauthenticat|\bauthori[sz]e|\btwo-(?:factor|step)\b|\b2fa\b|\bmfa\b|\bexpires? in\b|\bone[- ]time\b|\breset your\b|\bunlock\b|\bre-?activat|\b(?:second|next|last|final) (?:step|factor)\b|\breally (?:is )?you\b|\bfinish\b|\bcreat(?:e|ing) (?:your|an) account\b|\bregist(?:er|ration)\b|\b(?:do not|don'?t|never) share\b|\bcontinue\b|\bcomplete\b|\bactivate\b|\bpair(?:ing)?\b|\bidentity\b|\bit'?s (?:really )?you\b|\bit[\u2018\u2019]s (?:really )?you\b|\bvalidat(?:e|ing|ion)\b|\b(?:valid|good) (?:for|until|only)\b|\bapprov(?:e|ing)\b|\bprove\b|\bactivat(?:ing|ion)\b|\b(?:get|let you|back) in(?:to)?\b|\bstops? working\b|\bworks once\b|\bexpires?\b|\bone[- ]off\b|\bsingle[- ]use\b|\brecover(?:y|ing)?\b|\blink(?:ing)? (?:your|this)\b|\bcollect(?:ion)?\b|\bdriver\b|\bcourier\b/g,
  booking:
    /\b(?:itinerary|reservation|boarding|hotel|flights?|check[- ]in|booking|seat|terminal|passengers?|guests?|nights)\b/g,
  verify:
    /\b(?:verify|confirm|validate|activate|finish signing up|complete (?:your )?registration|yes, (?:this is|it'?s|subscribe))\b|\bverification link\b/,
  reset:
    /\bpassword (?:reset|recovery|change)|\breset (?:it|now|link)\b|^reset$|\baccount recovery\b|\brecover (?:your |my )?account\b/,
  change: /\b(?:reset|change|new|set|choose|create|recover|update|forg[eo]t(?:ten)?|pick)\b/g,
  password: /\b(?:password|passphrase|passcode|pin)\b/g,
  magic: /\bmagic\b|\b(?:sign|log)(?:ging)?[ -]?(?:me )?(?:in|on)\b|\blogin\b|\bpasswordless\b/,
  invite:
    /\binvit(?:e|es|ed|ation|ations)\b|\bjoin (?:the |your |our |this |my )?(?:team|workspace|organi[sz]ation|org|group|project|family|board|channel|server|space|company|household|account|class|club|league)\b|\bjoin [a-z0-9]+ (?:on|team|workspace)\b|^join(?: now)?$|\baccept(?: and join)?$/,
  unsubscribe:
    /\bleave (?:this|the|our|these) (?:mailing )?(?:list|newsletter)s?\b|\bbe removed from\b|\bunfollow\b|\bi (?:don'?t|no longer) want\b|\bno more (?:e-?mails?|mails?|messages|newsletters?)\b|\bunsubscri|\bopt[ -]?out\b|\bstop (?:receiving|these|getting|all)\b|\bremove me\b|\b(?:no longer|don'?t|do not|prefer not to|rather not) (?:wish|want)?(?: to)? ?(?:receive|get|hear)|\bmute (?:this|these|thread)|\bturn (?:off|these)\b/,
};
