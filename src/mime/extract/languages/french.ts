import type { Language } from './language.js';

export const french: Language = {
  code: /\bnumero secret\b|\b(?:numero|code) de retrait\b|\bcodes?\b|\bmot de passe (?:a usage unique|temporaire|provisoire|unique)\b|\b(?:cle|jeton) (?:d'acces|de securite|temporaire|a usage unique)\b|\b(?:otp|pin)\b|\bnumero (?:de verification|de securite|a usage unique|temporaire)\b|\bidentifiant (?:temporaire|a usage unique)\b/g,
  weak: /\b(?:utilise[rz]|avec) le code\b|\bcodes? (?:de |d'|du |de la |de l')(?!(?:verification|securite|confirmation|connexion|acces|validation|activation|authentification|identification|recuperation|secours|retrait|livraison|remise|deblocage|double|reinitialisation|passe|signature|inscription|paiement|6|4|six|quatre|appairage|liaison|transaction))[a-z]{3,20}\b|\bcodes? (?:d'autorisation|d'entree|d'invitation)\b|(?:numero|nombre|chiffres|lettres|caracteres|combinaison|sequence|mot de passe)(?<=\b(?:ce|ces|cette|le|les|la|suite de) (?:[a-z-]{1,14} )?(?:numero|nombre|chiffres|lettres|caracteres|combinaison|sequence|mot de passe))\b(?! (?:se terminant|finissant))/g,
  label:
    /\bcodes? (?:(?:de la |du |d'|de l')?(?:boite a cles?|barriere|portail|immeuble|garage|alarme|coffre)|promo(?:tionnel)?s?|de (?:reduction|remise|reservation|suivi|parrainage|promotion|produit|couleur|pays|commande|vestiaire|l'immeuble)|avantage|cadeau|postal|postaux|barres?|-barres|qr|erreur|d'erreur|article|client|fidelite|banque|guichet|swift|bic|ape|naf|source|reduction|porte|partenaire)\b|\bqr code\b|\b(?:numero|num|n°|nº|no|ref|reference)s?\.? ?(?:de |d'|du |de la )?(?:votre )?(?:commande|facture|colis|suivi|client|ticket|dossier|reservation|vol|telephone|contrat|compte|serie|siret|tva|adherent|carte|transaction|police|membre|demande|billet|confirmation|reunion|abonne|piece|lot|expedition|livraison)s?\b|\breference\s?(?:commande|client|dossier|facture|:)|\bid(?:entifiant)? (?:de )?(?:reunion|client|transaction|commande)\b|\b(?:siret|siren|rcs|iban|bic|se terminant par|termine par|finissant par|derniers chiffres|hotline|service client)\b/g,
  noun: /\b(?:commande|facture|ticket|dossier|reservation|colis|suivi|compte|client|tel|telephone|fax|mobile|no|numero|ref|reference|version|depuis|annee|chambre|page|ligne|article|id|appel|appelez|bp|cs|total|montant|solde|quantite|vol|train|voiture|place|porte|demande|plus de|environ|pres de|de|du|le|en|jusqu'a|incident|erreur|les|nos|et)\b/g,
  enter:
    /\b(?:saisi(?:r|ssez|s|e|ssant)|communique[rz]|donne[rz]|presente[rz]|montre[rz]|fournir|fournissez|transmette[rz]|inscri(?:re|vez|s)|inserez|mettez|remettez|entre[rz]|tape[rz]|utilise[rz]?|indique[rz]|renseigne[rz]|composez|copie[rz]|recopiez|collez|rentrez|reporte[rzs]?|reportant|recopie[rz]?|dites(?:-\w{2,4})?|dictez|saisie|munissez-vous|munissez|rentre[rz]?|glissez|ecrivez|ecrire|introduisez|collez|coller|frappez|remplissez|remplir|lisez|appuyez|tapant|transmettre|tape|saisis|rentre|colle|copie|entre|donne-\w{2,4}|dis-\w{2,4}|montre-\w{2,4})\b/g,
  sign: /\b(?:chiffres|lettres|caracteres|suite|sequence|combinaison|jeton|cle|sesame|mot de passe|mot-cle|mot secret|phrase secrete|phrase de passe|numero secret|secret|nombre)\b/g,
  lead: /\b(?:puis|ensuite)\b|\b(?:est|sont|a|avec|par|ceci|suit|voici|suivante?|ci-dessous|lui|leur|du|ici|celui-ci|simplement|alors|puis)\b/g,
  purpose:
    /\bconnect(?:er|ez|ion)\b|\bidentifi(?:er|ez|cation)\b|\bverifi(?:er|ez|cation)\b|\bconfirm(?:er|ez|ation)\b|\bauthentifi|\bdouble authentification|\bexpire|\bvalable\b|\breinitialis|\bvalid(?:er|ez|ation)\b|\bactiv(?:er|ez|ation)\b|\bne (?:le )?(?:communiquez|partagez)|\bcontinuer\b|\bfinaliser\b|\busage unique\b|\bse connecter|\bl'identite|\bidentite\b|\bc'est (?:bien )?vous\b|\bautoris(?:er|ez)\b|\bapprouver\b|\bterminer\b|\brecuper(?:er|ation)\b|\bretirer\b|\bretrait\b|\blivreur\b|\bdebloquer\b|\binscription\b|\bperime\b|\bne .{0,20}personne\b|\bnouvel appareil|\bd'un (?:autre|nouvel) appareil|\betait-ce vous|\bc'etait vous|\bacceder\b|\bcoursier|\bsigner\b|\bassocier\b|\bjumel|\bcasier|\bdistributeur|\bnouveau mot de passe|\bune seule fois|\bchiffre\b/g,
  booking: /\b(?:reservation|hotel|vol|sejour|voyageurs?|nuits|billets?|embarquement|enregistrement)\b/g,
  verify:
    /\b(?:verifi(?:er|ez|e)|confirm(?:er|ez|e)|valid(?:er|ez|e)|activ(?:er|ez|e))\b|\bfinaliser (?:mon|votre|l')\s?inscription/,
  reset: /\breinitialis/,
  change: /\b(?:reinitialis|modifi|chang|nouveau|creer|creez|definir|definissez|choisi|oubli|recuper)/g,
  password: /\bmot de passe\b/g,
  magic: /\b(?:me connecter|se connecter|connectez-vous|connexion|lien magique|lien de connexion)\b/,
  invite:
    /\binvitation|\binvite|\brejoindre (?:l'|le |la |mon |votre |notre )?(?:equipe|espace|groupe|projet|organisation|famille|tableau)|^rejoindre$/,
  unsubscribe:
    /\bje ne (?:veux|souhaite) plus\b|\bdesabonn|\bdesinscri|\bse desinscrire|\bne (?:plus|souhaitez plus).{0,24}recevoir|\bplus recevoir\b/,
};
