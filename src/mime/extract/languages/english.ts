import type { Language } from './language.js';

export const english: Language = {
  code: /\b(?:pass|auth|login|sms)?codes?\b|\botps?\b|\bpin\b|\bone[- ]time (?:password|passphrase|token)\b|\b(?:login|sign-?in|security|verification|access|authentication|2fa) (?:token|number|key|pin)\b|\btemporary (?:password|pin)\b/g,
  label:
    /\b(?:promo(?:tion(?:al)?)?|discount|coupon|voucher|gift(?: card)?|referral|rewards?|offer|tracking|booking|reservation|postal|post|zip|country|area|dial(?:l?ing)?|error|status|exit|response|http|qr|bar|product|item|order|sort|swift|bic|colou?r|source|dress|reference|ref|customer|company|tax|vat|store|branch|airport|class|course|event|door|gate|style|model|currency|approval|batch|meeting|savings?|partner|affiliate|department|cost|project|tariff|redeem|redemption)[ -]?codes?\b|\b(?:unicode|encodes?|decodes?|geocodes?|transcodes?|opcodes?)\b|\b(?:with|returned|returns|exited with) code\b|\blines? of code\b|\bcode of conduct\b|\bcode (?:review|base|snippet|freeze|sample|example|owner)s?\b|\b(?:order|invoice|receipt|tracking|shipment|shipping|parcel|package|consignment|delivery|ticket|case|incident|request|reference|ref|account|customer|client|member(?:ship)?|policy|contract|booking|reservation|confirmation|flight|phone|mobile|fax|vat|tax|serial|model|version|build|batch|lot|meeting|webinar|conference|transaction|payment|purchase|po|part|item|product|card|loyalty|employee|student|patient|registration|license|licence|routing|check|event|subscription|user|session|trace|device|record|document|file|claim|statement|bill|room|seat|gate)[ -]?(?:numbers?|no\b|nr\b|num\b|id\b|ids\b|ref\b|reference|#)|\b(?:passport|iban|bic|isbn|sku|imei|postcode|zip|ending (?:in|with)|last (?:four|4)(?: digits)?|customer service|hotline|dial(?:-in)?|helpline)\b/g,
  noun: /\b(?:order|invoice|receipt|ticket|case|incident|request|reference|ref|account|customer|booking|reservation|confirmation|flight|room|suite|apt|tel|phone|call|fax|mobile|whatsapp|text|box|version|build|release|id|no|number|nr|year|since|serial|model|issue|commit|error|port|page|row|line|lot|batch|terminal|trace|extension|ext|in|of|from|until|total|amount|balance|points|units|quantity|qty|article|building|floor|copyright|seat|platform|gate|train|bus|job|run|pipeline|pull request|#|late|by|article|paragraph|section|chapter|reg|registered|company|transaction|than|about|over|least|most|nearly|almost|around|only|these|those|all|our|the|other|another|and)\b/g,
  enter: /\b(?:enter|use|using|type|input|provide|submit|key in|punch in|paste|copy)\b/g,
  purpose:
    /\bsign(?:ing)?[ -]?(?:in|up)\b|\blog(?:ging)?[ -]?(?:in|on)\b|\bverif(?:y|ying|ication)\b|\bconfirm(?:ing)?\b|\bauthenticat|\bauthori[sz]e|\btwo-(?:factor|step)\b|\b2fa\b|\bmfa\b|\bexpires? in\b|\bone[- ]time\b|\breset your\b|\bunlock\b|\bfinish\b|\bcreat(?:e|ing) (?:your|an) account\b|\bregist(?:er|ration)\b|\b(?:do not|don'?t|never) share\b|\bcontinue\b|\bcomplete\b|\bactivate\b|\bpair\b/g,
  booking: /\b(?:itinerary|reservation|boarding|hotel|flight|check-in|booking|guests?|nights)\b/,
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
    /\bunsubscri|\bopt[ -]?out\b|\bstop (?:receiving|these|getting|all)\b|\bremove me\b|\b(?:no longer|don'?t|do not|prefer not to|rather not) (?:wish|want)?(?: to)? ?(?:receive|get|hear)|\bmute (?:this|these|thread)|\bturn (?:off|these)\b/,
};
