/**
 * Words that tell codes and links from other numbers and links, by language. All languages are searched at once,
 * because messages mix them. To add a language, add its words; no other file changes.
 *
 * - `code`: names of one-time codes, and the word for a code.
 * - `sign`: nouns that can stand for a code, such as digits, number, key or password.
 * - `other`: what other numbers and codes belong to or name: orders, prices, telephones, discounts.
 * - `enter`: requests to enter, use or show something.
 * - `purpose`: reasons to enter a code, and statements about its use. Words of `verify` and `login` count too.
 * - `small`: words without a meaning here, which can be between a name and its code, or behind a code.
 * - `offer`, `booking`: subjects of messages in which a code is not a one-time code.
 * - `verify`, `login`, `reset`, `invite`, `unsubscribe`: texts of links. A word of `password` near one of `change` is
 *   `reset`, too.
 *
 * Words are compared in lower case, without accents. A hyphen in a text is a space. `*` stands for more letters, and a
 * word of a language without spaces has them on both sides.
 */
export const languages: Readonly<Record<string, string>> = {
  english: `
    code: code, codes, passcode*, authcode*, otp, otps, pin, pins, tpin*, secret number, one time password*, one time passphrase*, single use password*, throwaway password*, one time token*, one time key*, one time number*, one time digits, one off password*, security token*, security number*, verification number*, access token*, access number*, login token*, sign in token*, sign in number*, recovery token*, recovery key*, unlock key*, pairing key*, access key*, temporary password*, temp password*, initial password*, provisional password*, temporary token*, temporary number*, temporary key*, id code
    sign: number, numbers, digit, digits, figures, character, characters, letters, numerals, symbols, passphrase*, password, passwords, secret, token, tokens, key, keyword, string, combination, sequence, phrase, credential*, codeword, code word, watchword, authorization code*, authorisation code*, auth code, approval code, invitation code, door code, gate code, entry code
    other: order*, invoice*, receipt, ticket*, case, incident, request, reference, ref, account, customer*, client, member*, policy, contract, booking, reservation*, flight*, phone, mobile, fax, vat, tax, serial, model, version, build, batch, lot, meeting*, webinar*, conference, transaction*, purchase, po, part, item*, product*, loyalty, employee, student, patient, license, routing, event, subscription, user id, session id, trace, record, claim, statement, bill, room, seat, gate, door, key safe, keysafe, key box, lockbox*, lock box, barrier, garage, alarm, promo*, discount*, coupon*, voucher*, gift, referral, reward*, offer, tracking, postal, postcode*, zip, country, area, dial*, error*, status, exit, response, http, qr, bar, barcode*, sort, swift, bic, iban, colour, color, source, dress, company*, store, branch, airport, class, course, style, currency, approval, savings, partner, affiliate, department, cost, project, tariff, redeem*, redemption, reason, parking, decline, return, diagnostic, billing, customs, merchant, category, charge, fault, paint, asset, inventory, stock, vendor, supplier, job, property, unit, building, wi fi, wifi, participant, friend*, creator, exam, center, school, catalog*, plan, rate, vehicle, seller, warranty, shopping, exclusive, birthday, passport, isbn, sku, imei, ending, ending in, ending with, last four, last 4, customer service, hotline, helpline, tel, ext, extension, whatsapp, box, release, id, since, year, issue, commit, port, page, row, line, terminal, total, amount, balance, points, quantity, qty, floor, suite, apt, street, st, avenue, ave, road, rd, copyright, platform, train, bus, run, pipeline, pull request, section, chapter, registered, reg, badge, bay, slot, van, route, lane, flat, ward, bed, file, docket, parcel, package, shipment, delivery number, confirmation number, invitation, payment reference, review, unicode, application, fix, localhost, failed with, exited with, document, document number, keypad code, counter, till, call us, call our, call me
    enter: enter, entering, use, using, type, typing, input, provide, submit, key in, punch, punch in, paste, copy, insert, give, tell, show, present, reply with, respond, fill in, fill, put in, pop, tap in, supply, send, send back, keying, quote, say, read out, read it, read this, read, drop, write, dictate, repeat, transcribe, retype, relay, hand over, feed, match
    purpose: lets you in, let you in, will let you, get back in, back in, signing in, signing up, sign up, logging in, verification, verifying, confirming, authenticat*, authoris*, authoriz*, two factor, two step, 2fa, mfa, expire*, one time, one off, single use, unlock*, reactivat*, second step, final step, last step, next step, really you, finish*, your account, register*, registration, do not share, don't share, never share, continue, complete, activat*, pair, pairing, identity, it's you, it is you, was this you, if this was you, it was you, sure it's you, who you are, valid for, valid until, good for, good until, approv*, prove, get in, stops working, works once, only once, recover*, link your, link this, collect*, driver, courier, prompted, new device, new browser, new computer, new phone, this device, withdraw*, cash machine, picked up, pick up, you're in, lapses, runs out, this session, new password, reset your, encrypted, secure message, minutes
    small: asked, is, are, it's, be, to, with, via, this, that, below, following, now, here, here's, simply, just, please, them, him, her, us, it, as, then, in, on, into, onto, for, at, when, where, within, and, or, if, will, there, above, once, before, after, again, only, by, its, which, so, but, do, does, not, no, you, we, your, our, the, a, an, was, has, can, may, must, should, works, stays, lasts, end, ends, because, while, aloud, inside, instead, also, back, plus, out, up, lets, gets, opens, unlocks, confirms, proves, of, temporary, new, yours
    offer: off your, discount*, promo*, coupon*, voucher*, sale, save up, free shipping, free delivery, at checkout, at the checkout, at the till, on the phone menu, on us, gift card
    booking: itinerary, reservation, boarding, hotel, flight*, check in, booking, passenger*, guests, guest, nights
    verify: verify, confirm, validate, activate, finish signing up, complete your registration, complete registration, yes this is, yes it's, subscribe me, verification link
    reset: reset it, reset now, reset link, reset, account recovery, recover your account, recover account
    change: change, new, set, choose, create, recover*, update, forgot*, pick, reset*
    password: password, passphrase, passcode, pin
    login: magic, sign in, sign me in, log in, log me in, log on, login, signin, passwordless, logging in, signing in
    invite: invit*, join now, join the team, join your team, join our team, join team, join the workspace, join workspace, join the organization, join the group, join the project, join the family, join the board, join the channel, join the server, join the space, join the club, accept and join, accept the invitation
    unsubscribe: unsubscri*, opt out, unfollow, leave this list, leave the list, leave this mailing list, leave this newsletter, be removed from, i don't want, no longer want, no more emails, no more email, no more mail, no more newsletters, stop receiving, stop these, stop getting, stop all, remove me, no longer wish, no longer receive, don't want to receive, do not wish to receive, prefer not to, rather not, not to receive, mute this, mute these, turn off, turn these`,
  german: `
    code: *code, *codes, *pin, tan, *tan, otp, geheimnummer, geheimzahl, sicherheitszahl, sicherheitsziffer, sicherheitsnummer, sicherheitsschlussel, einmalkennwort*, einmalpasswort*, einmalschlussel*, zugangsschlussel, zugangszahl, prufzahl, prufziffer, prufnummer, bestatigungszahl, bestatigungsnummer, freigabenummer, freigabezahl, anmeldenummer, anmeldezahl, einmaliges passwort, einmaliges kennwort, temporares passwort, vorlaufiges passwort
    sign: *nummer, *zahl, *zahlen, *ziffern, ziffernfolge, zahlenfolge, *zeichen, zeichenfolge, zeichenkette, *buchstaben*, kombination, *kennwort, *passwort, *schlussel, schlusselwort, losung, losungswort, codewort, token, passphrase, geheimwort
    other: bestell*, auftrag*, rechnung*, kunde*, kundin*, sendung*, paketnummer*, ticket*, vorgang*, fallnummer, referenz*, buchung*, reservierung*, vertrag*, konto*, telefon*, tel, fax, mobil*, handy*, steuer*, serien*, artikel*, produkt*, version*, beleg*, lieferschein*, liefernummer, tracking*, flug*, matrikel*, kassenzeichen, zahler*, hotline, rufnummer*, hausnummer*, umsatzsteuer*, ust*, transaktionsnummer, versicherung*, kreditkarte*, karten*, anfrage*, bearbeitung*, depot*, aktenzeichen, geschafts*, wagen, sitzplatz, gleis, gate, meeting*, kassen*, teilnehmer*, kurs*, gutschein*, postleitzahl, plz, iban, bic, hrb, endend, endziffer*, endet auf, letzten vier, letzten 4, rabatt*, aktions*, promo*, vorteils*, empfehlung*, fehler*, barcode*, qr*, farb*, quell*, lander*, landes*, freunde*, einladung*, hinweis*, abfahrt*, versand*, bonus*, geschenk*, einlass*, zutritt*, partner*, status*, einlose*, coupon*, schlusselsafe*, schranke*, garagen*, alarm*, postfach, nr, zimmer, zeile, id, anruf, betrag, summe, gesamt, menge, anzahl, sitz, raum, haus, verwendungszweck, turcode*, losnummer*, warencode*, sparcode*, personalnummer*, ortscode*, ortskennzahl, mitglied, mitgliedsnummer*, mitglieds nummer, zug, zugnummer*, schalter, theke, rufen sie, ruf uns
    enter: gib, gibst, geben, gebe, angeben, eingeben, einzugeben, ein zu geben, nenn*, zeig*, eintipp*, eintragen, erfass*, ubertrag*, hinterleg*, verwend*, nutz*, benutz*, tipp*, trag*, kopier*, einzutippen, schreib*, hinein, wahl*, druck*, diktier*, sag*, mitteil*, teil*, ubern*, abtippen, fug*
    purpose: offne*, ausweis*, weisen sie sich, anmeld*, einlogg*, bestatig*, verifizier*, authentifizier*, zwei faktor, zweistufig, gultig*, lauft, zurucksetz*, freischalt*, abzuschlie*, fortzufahren, identitat*, sicherstellen, weiter, freigeb*, anzumelden, einzuloggen, zuruckzusetzen, freizugeben, freigabe, freizuschalten, abschlie*, fortfahren, aktivier*, abholung, ablauft, verfallt, einmalig*, nur einmal, autorisier*, entsperr*, koppeln, neues gerat, neuen gerat, warst du, waren sie, bist du es, sind sie es, paketfach, fahrer, zusteller, bote*, neues passwort, genau einmal, wieder rein, wieder hinein, zugang*, zugriff*, unterschr*, barauszahlung, geldautomat*, verschlussel*, minuten
    small: ist, sind, lautet, lauten, mit, als, bitte, einfach, so, hier, jetzt, dort, folgend*, dazu, per, nun, app, ihm, ihr, ihre, uns, um, zum, zur, fur, ein, eine, einen, einer, bei, beim, und, oder, auf, wo, unten, oben, dann, damit, wenn, sobald, bevor, nachdem, nur, von, im, an, den, dem, das, die, der, des, dein, deine, deinen, es, du, sie, wir, er, gilt, wird, nicht, innerhalb, einmal, kommst, aus, nach, fur deine, dazu, auf, der, die, seite
    offer: rabatt*, nachlass, gutschein*, versandkostenfrei, versand gratis, an der kasse, sparen, sparst, spart
    booking: buchung*, reservierung*, hotel*, flug*, gaste, nachte, reise, unterkunft, aufenthalt
    verify: bestatig*, verifizier*, aktivier*, freischalt*, registrierung abschlie*
    reset: zurucksetzen, zuruckgesetzt
    change: zurucksetz*, zuruckzusetzen, ander*, vergessen, neu*, erstell*, festleg*, wahl*, vergeben, setzen
    password: passwort*, kennwort*
    login: einlogg*, anmelde*, magisch*, jetzt anmelden, melde dich an
    invite: einladung*, eingeladen, beitreten
    unsubscribe: abmeld*, abbestell*, abzubestellen, ausgetragen, austragen, keine mails mehr, keine e mails mehr, keine newsletter, keine weiteren e mails, keine nachrichten mehr, nicht mehr erhalten, nicht mehr bekommen, nicht mehr zusenden, nicht mehr empfangen, nicht langer`,
  french: `
    code: code, codes, mot de passe a usage unique, mot de passe temporaire, mot de passe provisoire, mot de passe unique, cle d'acces, cle de securite, cle temporaire, jeton d'acces, jeton de securite, numero secret, numero de retrait, numero de verification, numero de securite, numero a usage unique, identifiant temporaire, identifiant a usage unique
    sign: numero, nombre, chiffres, lettres, caracteres, suite, sequence, combinaison, jeton, cle, sesame, mot de passe, mot cle, mot secret, phrase secrete, phrase de passe
    other: session, commande*, facture*, colis, suivi, client*, ticket*, dossier*, reservation*, vol, telephone*, tel, contrat*, compte, serie, siret, siren, rcs, tva, adherent*, carte, transaction n*, police, membre*, demande, billet, reunion, abonne*, piece, lot, expedition, livraison n*, barriere, portail, immeuble, garage, alarme, coffre, boite a cle*, promo*, reduction, remise, parrainage, produit, couleur, pays, vestiaire, avantage, cadeau, postal*, postaux, barres, barre, erreur, article, fidelite, banque, guichet, ape, naf, porte, partenaire, se terminant par, termine par, finissant par, derniers chiffres, service client, fax, mobile, ref, reference*, version, annee, chambre, page, ligne, id, appel, appelez, bp, cs, total, montant, solde, quantite, voiture, place, incident, d'autorisation, d'invitation, d'entree, enquete, verbalisation, guichet, comptoir, appelez
    enter: saisi*, communique*, donne*, presente*, montre, montrez, montrer, fournir, fournissez, transmette*, inscri*, inserez, mettez, remettez, entrer, entrez, entre, tape*, utilise*, indique*, renseigne*, composez, copie*, recopie*, collez, coller, rentre*, reporte*, reportant, dites, dictez, munissez*, glissez, ecrivez, ecrire, introduisez, frappez, remplissez, remplir, lisez, appuyez, tapant, transmettre
    purpose: connecter, connectez, connexion, identifi*, verifi*, confirm*, authentifi*, expire, valable, reinitialis*, valider, validez, validation, activer, activez, activation, ne communiquez, ne le communiquez, ne partagez, ne le partagez, continuer, finaliser, usage unique, l'identite, identite, c'est vous, c'est bien vous, autoriser, autorisez, approuver, terminer, recuper*, retirer, retrait, livreur, debloquer, inscription, perime, personne, nouvel appareil, autre appareil, etait ce vous, c'etait vous, acceder, coursier, signer, associer, jumel*, casier, distributeur, nouveau mot de passe, une seule fois, chiffre
    small: est, sont, a, avec, par, ceci, suit, voici, suivant*, ci dessous, lui, leur, du, ici, celui ci, simplement, alors, puis, ensuite, pour, dans, sur, sous, comme, et, ou, au, aux, la, le, les, votre, vos, ce, cet, cette, qui, que, lorsque, quand, avant, apres, maintenant, sera, chez, sans, ne, vous, nous, il, en, afin, lors, des, de, d, l, un, une
    offer: remise, reduction, promotion*, livraison gratuite, livraison offerte, en caisse, soldes
    booking: reservation, hotel, vol, sejour, voyageur*, nuits, billet*, embarquement, enregistrement
    verify: verifier, verifiez, verifie, confirmer, confirmez, confirme, valider, validez, valide, activer, activez, active, finaliser mon inscription, finaliser votre inscription, finaliser l'inscription
    reset: reinitialis*
    change: reinitialis*, modifi*, chang*, nouveau, creer, creez, definir, definissez, choisi*, oubli*, recuper*
    password: mot de passe
    login: me connecter, se connecter, connectez vous, connexion, lien magique
    invite: invitation*, invite*, rejoindre
    unsubscribe: desabonn*, desinscri*, plus recevoir, je ne veux plus, je ne souhaite plus, ne souhaitez plus`,
  spanish: `
    code: codigo*, clave, pin, nip, token, numero secreto, palabra de paso, palabra de acceso, contrasena de un solo uso, contrasena temporal, contrasena unica, numero de verificacion, numero de seguridad, numero de un solo uso
    sign: numero, numeros, cifras, digitos, letras, caracteres, combinacion, secuencia, serie, clave, contrasena, palabra clave, palabra secreta, frase secreta, llave, secreto
    other: pedido*, factura*, seguimiento, guia, cliente*, ticket, caso, reserva, vuelo, telefono, tel, contrato, cuenta, socio, tarjeta, transaccion n*, poliza, orden, envio, incidencia, solicitud, expediente, referencia*, reunion, operacion n*, recibo, paquete, lote, rastreo, folio, localizador, cif, nif, dni, termina en, terminada en, terminado en, ultimos cuatro, ultimos 4, atencion al cliente, caja de llaves, caja fuerte, portal, garaje, barrera, alarma, promocion*, descuento*, cupon*, barras, producto*, error, area, pais, referido*, regalo, articulo, puerta, color, postal*, qr, fuente, fiscal, cita, matricula, registro n*, num, nro, ref, version, ano, habitacion, pagina, linea, llamada, llama, llamanos, apartado, total, importe, saldo, cantidad, tren, asiento, cp, invitacion, movil, celular, entrada, amigo*, mostrador, ventanilla, llame, llamenos
    enter: introduc*, ingres*, usa, utiliza, use, usar, utilice, escrib*, teclea*, digita*, digite, copia, copie, copiar, pega, pegue, pegar, pon, ponga, anot*, indica, indique, dile, dale, di, diga, muestra*, muestre*, ensena*, presenta, facilita, proporciona, marca, marcar, marque, inserta, inserte, dicta, dicte, comunica*, entrega, entregale, rellena, dar, lee, lea, responde, envia, envie, pulsa, tecl*
    purpose: sesion, acceder, acceso, verific*, confirm*, autentic*, dos pasos, dos factores, caduca, vence, expira, valido, valida, restablec*, activa*, no compart*, no lo compart*, continuar, completar, un solo uso, identidad, eres tu, autoriz*, aprob*, terminar, finalizar, recoger, recogida, repartidor*, recuper*, registr*, entrar, desbloque*, vigencia, vincular, nuevo dispositivo, dispositivo nuevo, fuiste tu, si es usted, mensajero, taquilla, cajero, retiro, firmar, contrasena nueva, nueva contrasena, una sola vez, emparejar, cifrado, minutos
    small: temporal, junto, es, son, sera, con, como, siguiente, siguientes, esto, aqui, web, app, este, esta, a, luego, despues, para, al, y, o, por, cuando, donde, antes, ahora, abajo, el, los, las, la, lo, tu, su, un, una, si, sin, se, sirve, ya, solo, en, de, del, no lo
    offer: descuento*, rebaja*, ahorra, envio gratis, en caja, en la caja, cupon*
    booking: reserva, hotel, vuelo, huespedes, noches, estancia, embarque, alojamiento, itinerario
    verify: verifica, verificar, verifique, confirma, confirmar, confirme, confirmo, validar, valida, activa, activar, active
    reset: restablecer
    change: restablec*, cambi*, nueva, crea*, recuper*, olvid*, defin*, elig*, establec*, restaur*
    password: contrasena, clave
    login: iniciar sesion, inicia sesion, acceder, entrar, enlace magico, acceso directo, ingresar
    invite: invitaci*, invitad*, unirse, unirme, unirte
    unsubscribe: darse de baja, dar de baja, darte de baja, darme de baja, date de baja, cancelar suscripcion, cancelar la suscripcion, cancelar mi suscripcion, desuscrib*, anular suscripcion, anular la suscripcion, dejar de recibir, no quiero recibir, no quiero seguir, no deseo recibir, no recibir mas, no deseas recibir, no desea recibir, no quieres recibir, no desea seguir, no deseas seguir, no quieres seguir`,
  portuguese: `
    code: codigo*, numero secreto, senha temporaria, senha de uso unico, senha descartavel, senha unica, palavra passe temporaria, palavra passe de utilizacao unica, chave temporaria, chave unica, chave de acesso, chave de seguranca, chave de uso unico, numero de verificacao, numero de seguranca
    sign: numero, numeros, cifras, algarismos, digitos, letras, caracteres, combinacao, sequencia, chave, senha, palavra passe, palavra chave, palavra secreta, frase secreta, segredo, contrassenha
    other: fatura*, nota, rastreio, rastreamento, chamado, voo, telefone, contrato, conta, cartao, apolice, encomenda*, protocolo, processo, reuniao, localizador, cnpj, cpf, cep, terminado em, terminada em, ultimos quatro, central de atendimento, sac, portao, cofre, garagem, predio, promocional, promocao, promocoes, desconto*, cupom, cupao, indicacao, presente, oferta, localizacao, produto*, fonte, telemovel, versao, quarto, pagina, linha, artigo, ligue, valor, quantidade, trem, comboio, assento, convite, atendimento, balcao, guiche
    enter: insira, introduza, digit*, utilize, informe, escrev*, copi*, cole, colar, colando, inserir, coloque, coloca, forneca, mostre, mostra, mostrar, apresente*, passe, preencha, introduz*, utiliza*, basta, dite, transmita, repita, dizer, diz, entregue, lance, leia, envie, informar, insere
    purpose: sessao, acess*, aceder, duas etapas, dois fatores, redefin*, ativa*, ative, nao compartilhe, nao o compartilhe, nao partilhe, nao o partilhe, concluir, uso unico, identidade, e voce, aprov*, retirar, retirada, entregador, estafeta, regist*, liberar, liberacao, cadastro, parear, novo dispositivo, novo acesso, novo aparelho, foi voce, motoboy, armario, cacifo, caixa eletronico, multibanco, assinar, nova senha, uma unica vez, uma so vez, deixa de funcionar, ao receber, verificacao, confirmacao, seguranca
    small: e, sao, com, seguinte, seguintes, isto, isso, este, aberta, depois, ao, aos, quando, onde, agora, abaixo, os, seu, sua, uma, sem, pelo, pela, nao, vale, da, do, dos, para o, para a, em
    offer: desconto*, promocao, frete gratis, no caixa, cupom
    booking: voo, hospedes, noites, estadia, hospedagem
    verify: verifique, confirme, valide, ative, ativar, ativa
    reset: redefinir
    change: redefin*, alter*, troc*, mud*, nova, cri*, esquec*, repor
    password: senha, palavra passe
    login: iniciar sessao, fazer login, acessar, aceder, link magico, link de acesso
    invite: convite*, convid*, juntar*, entrar na equipa, entrar na equipe, participar da, participar do
    unsubscribe: cancelar inscricao, cancelar a inscricao, cancelar minha inscricao, cancelar subscricao, cancelar a subscricao, cancelar assinatura, descadastr*, desinscrev*, cancele a sua inscricao, cancele sua inscricao, deixar de receber, nao quero mais receber, nao quero receber, nao desejo receber, nao deseja receber, nao deseja mais receber, nao quer mais receber, nao quiser receber, nao quiser continuar, nao receber mais, anular subscricao, anular a subscricao, remover meu e mail, remover e mail`,
  italian: `
    code: codice, codici, numero segreto, parola d'ordine, parola d'accesso, password monouso, password temporanea, password usa e getta, numero di verifica, numero di sicurezza, chiave di accesso, chiave temporanea
    sign: numero, numeri, cifra, cifre, lettere, caratteri, combinazione, sequenza, serie, chiave, parola chiave, parola segreta, frase segreta, segreto, gettone
    other: ordine*, fattura*, spedizione, tracciamento, pratica, prenotazione, volo, telefono, conto, tessera, carta, polizza, pacco, richiesta, segnalazione, lotto, riunione, ricevuta, colli, partita iva, p iva, c f, che termina con, terminante con, ultime quattro, ultime 4, numero verde, servizio clienti, pnr, cassetta, cancello, portone, allarme, cassaforte, promozionale*, sconto, sconti, fiscale, postale, avviamento, errore, riferimento, barre, prodotto, articolo, amico, regalo, sorgente, colore, univoco, sdi, destinatario, ateco, biglietto, viaggio, tributo, cell, cellulare, nr, rif, versione, anno, camera, pagina, riga, chiama, cap, totale, importo, quantita, treno, carrozza, posto, invito, ingresso, n, sportello n, bancone
    enter: inserisci*, inserire, inserisca, inserendo, utilizz*, usare, usi, immett*, copia, incolla, incollare, incolli, copi, copiare, digiti, scriv*, comunic*, fornisci, mostra*, mostri, riport*, presenta, dai, compon*, comporre, detta, dettare, detti, leggi, dille, digli, dirgli, ricopia*, trascriv*, premi, riferisci, riferire, compila, batti, tocca
    purpose: accedere, accesso, accedi, conferm*, due fattori, due passaggi, scade, scadra, reimpost*, ripristin*, attiva*, non condivider*, non comunicar*, continuare, completare, monouso, identita, sei tu, autorizz*, approv*, terminare, completa, ritir*, corriere, sblocc*, entrare, abbin*, nuovo dispositivo, sei stato tu, e stato lei, armadietto, locker, sportello, preliev*, prelevare, firmare, nuova password, una sola volta, entra in, entra nel, protetto, cifrato, bonifico, sicurezza, minuti
    small: sono, sara, seguente, seguenti, questo, questa, qui, ecco, cosi, poi, dentro, come, nella, nel, nello, nell, ed, alla, allo, sul, sulla, sull, dove, prima, dopo, ora, adesso, sotto, gli, tuo, tua, suo, sua, che, entro, non, con, di, del, della, dell, per, il, i
    offer: sconto, saldi, gratis, risparmia, spedizione gratuita, alla cassa, coupon
    booking: prenotazione, ospiti, notti, soggiorno, imbarco, itinerario
    verify: verifica, verificare, verifichi, conferma, confermare, confermo, convalida*, attiva, attivare
    reset: reimposta
    change: reimpost*, nuova, recuper*, dimentic*, modific*, impost*, ripristin*, scegli*
    password: password
    login: accedi, accedere, entra, link magico, link di accesso, accesso rapido
    invite: invito, invitat*, unisciti
    unsubscribe: disiscri*, cancella iscrizione, cancella la tua iscrizione, cancella la iscrizione, cancellati, cancellarti, cancellarsi, annulla iscrizione, annulla l'iscrizione, annulla la tua iscrizione, non voglio piu, non desidero piu, non ricevere piu, non desideri ricevere, non desideri piu, non vuoi ricevere, non vuoi piu, piu ricevere`,
  dutch: `
    code: *code, *codes, geheim nummer, geheim getal, geheime nummer, eenmalige sleutel, tijdelijke sleutel, eenmalige toegangssleutel, eenmalige wachtzin, eenmalig wachtwoord, tijdelijk wachtwoord, eenmalige wachtwoord, tijdelijke wachtwoord, voorlopig wachtwoord
    sign: nummer, getal, cijfers, letters, tekens, cijferreeks, tekenreeks, reeks, combinatie, sleutel, wachtwoord, wachtwoordzin, wachtzin, toegangswoord, kenwoord, geheim
    other: bestel*, factuur*, klant*, zaak*, referentie*, boeking*, reservering*, volg, volgcode*, volgnummer*, telefoon*, contract*, rekening*, lidmaatschap*, serie*, artikel*, pakketnummer*, zending*, vlucht*, polis*, dossier*, kvk*, btw*, melding*, versie*, postcode*, eindigend op, laatste vier, laatste 4, klantenservice, sleutelkluis*, sleutelkastje*, kluis, slagboom*, poort*, voordeur*, deur*, garage*, kortings*, actie*, promo*, cadeau*, fout*, product*, waarde*, kleur*, streepjes*, uitnodigings*, mobiel, jaar, kamer, pagina, regel, bel, totaal, bedrag, aantal, trein, winkel*, landcode*, landencode*, broncode*, balie, loket
    enter: voer, vul, invoer*, gebruik, typ, typen, kopieer, kopieren, plak, geef, geven, toon, tonen, laat, noem, intypen, invul*, overtypen, toets*, tik*, neem*, overnem*, zet, kies, schrijf, meld, zeg, lees, noteer, dicteer, druk, vertel, doorgeven, stel
    purpose: inlogg*, inlog*, in te loggen, aanmeld*, verifi*, bevestig*, authenticatie, tweestaps*, verloopt, geldig*, opnieuw in te stellen, active*, met niemand, voltooi*, log in, eenmalig*, identiteit, jij het bent, u het bent, autoris*, goedkeur*, goed te keuren, afronden, ophalen, afhalen, bezorger, registr*, ontgrendel*, vervalt, te bevestigen, koppelen, nieuw apparaat, nieuwe apparaat, ben jij, bent u, was jij, ophaal*, kluisje, geldautomaat, ondertekenen, nieuw wachtwoord, versleuteld
    small: zijn, luidt, met, als, hier, volgende, onderstaande, dan, even, dit, scherm, om, op, voor, bij, waar, wanneer, daar, nu, voordat, nadat, het, een, je, uw, jouw, dat, wordt, tot, binnen, niet, zodra, aan, daarna, vervolgens, van, de, in
    offer: korting*, gratis verzending, aan de kassa, actiecode, actie
    booking: boeking, reservering, vlucht, gasten, nachten, verblijf
    verify: bevestig*, verifieer, activeer
    reset: reset je wachtwoord, reset uw wachtwoord
    change: reset*, herstel*, wijzig*, vergeten, instellen, kiez*, nieuw*, stel
    password: wachtwoord*
    login: inloggen, aanmelden, magische link, inloglink
    invite: uitnodiging*, uitgenodigd, word lid van, deelnemen aan
    unsubscribe: uitschrijv*, afmeld*, schrijf je uit, schrijf u uit, meld je af, meld u af, geen e mails meer, geen mails meer, geen nieuwsbrieven meer, niet meer ontvangen, niet langer ontvangen, ik wil geen`,
  polish: `
    code: kod, kodu, kodem, kody, kodow, kodzie, haslo jednorazowe, haslo tymczasowe, haslo sms, pin, pinu, pinem, token, tokena, tokenu, tajny numer
    sign: numer*, liczb*, cyfr*, znaki, znakow, liter*, ciag, kombinacj*, klucz*, haslo, haslem, hasla, fraza, sekret, szyfr
    other: zamowien*, faktur*, paczk*, przesylk*, klient*, zgloszeni*, rezerwacj*, lotu, telefon*, umowy, kont*, seryjn*, karty, transakcji, polisy, sledzeni*, sprawy, listu, rachunku, referencyjny, czlonkowski, spotkani*, biletu, wniosku, nip, regon, krs, pesel, konczac* sie, ostatnie cztery, ostatnie 4, infolini*, bramy, domofonu, drzwi, sejfu, furtki, szlabanu, alarmu, rabat*, promocyj*, znizk*, pocztow*, kreskow*, bledu, produkt*, kraju, polecajac*, kuponu, zrodlow*, faks, kom, wersja, pokoj, strona, wiersz, artykul, zadzwon, kwota, suma, saldo, ilosc, pociag, wagon, miejsce, zaproszenia, wejscia, nr
    enter: wpisz*, wprowadz*, podaj*, uzyj*, uzyc, uzywa*, wpisac, skopiuj, skopiowac, przepis*, wklej*, wkleic, okaz*, pokaz*, przekaz*, wpisuj*, wstuka*, nacisnij, wybierz, wklep*, podac, podyktuj, dyktuj, powiedz, odczytaj, napisz, wystuka*, wbij
    purpose: zalogow*, logowani*, zaloguj*, weryfik*, zweryfik*, potwierd*, uwierzyteln*, dwuetapow*, dwuskladnikow*, wygas*, wazny, wazna, wazne, zresetow*, aktywow*, aktywuj*, autoryz*, nie udostepniaj*, nie podawaj, kontynuow*, dokoncz*, odbior*, odbierz, odebrac, tozsamosc, to ty, zatwierdz*, kurier*, odzysk*, rejestrac*, zarejestr*, odblok*, jednorazow*, parowan*, nowe urzadzenie, nowego urzadzenia, czy to ty, to pan, paczkomat*, skrytk*, bankomat*, wyplat*, podpis*, nowe haslo, zmiana hasla, zmiany hasla, jeden raz, zaszyfrowan*
    small: to, jest, brzmi, z, jako, tutaj, tu, nastepujac*, ponizsz*, nim, niej, po prostu, ekranie, potem, nastepnie, aby, w, i, zeby, gdy, kiedy, gdzie, tam, teraz, przed, po, ten, ta, twoj, twoje, ktory, traci, przy, ze, oraz, nie, jesli, podczas, na, do, dla
    offer: rabat*, znizk*, promocj*, darmow*, przy kasie
    booking: rezerwacj*, hotel*, lotu, gosci, nocleg*, pobyt*, odprawa
    verify: potwierdz*, zweryfikuj*, aktywuj*, weryfikuj*
    reset: reset hasla, resetowanie hasla, resetu hasla
    change: zresetuj*, zmien*, nowe, ustaw*, utworz*, odzyskaj*, przypomnij*, resetuj*, zapomnia*
    password: haslo, hasla
    login: zaloguj*, logowanie, logowania, magiczny link
    invite: zaproszeni*, zaprosz*, dolacz
    unsubscribe: wypisz*, wypisa*, anuluj subskrypcj*, anuluj prenumerat*, rezygn*, zrezygn*, nie chcesz otrzymywac, nie chcesz juz otrzymywac, nie chcesz dluzej otrzymywac`,
  russian: `
    code: код, кода, коду, кодом, коды, кодов, пин*, токен*, секретный номер, пароль из смс, одноразов* парол*, временн* парол*, парол* для входа, пароль для входа
    sign: номер*, числ*, цифр*, символ*, букв*, ключ*, парол*, комбинаци*, кодов* слов*, секрет, шифр, последовательность, фраз*
    other: заказ*, счет*, клиент*, обращени*, заявк*, бронирован*, брони, рейс*, телефон*, тел, договор*, отправлени*, посылк*, отслеживан*, карт*, билет*, накладн*, транзакции, конференции, чек*, трек*, инн, кпп, огрн, бик, индекс*, артикул, горячая линия, последние четыре, последние 4, оканчива*, промо*, штрих*, домофон*, подъезд*, двери, сейф*, шлагбаум*, ворот, скидк*, купон*, товар*, ошибк*, стран*, город*, почтов*, факс, верси*, год*, комната, звоните, сумма, итого, поезд, вагон, место, приглашения, склад*
    enter: введите, введи, ввести, введя, вводите, использу*, укаж*, указать, скопируйте, набер*, набрать, назов*, покаж*, сообщи*, впиши*, встав*, продиктуй*, впечатайте, перепиши*, скажи*, предъявите, нажмите, отправьте, воспользуйтесь, напиши*, напечатайте, забейте, вбейте, внесите
    purpose: вход*, войти, войдите, подтвер*, верифик*, авториз*, аутентифик*, двухфактор*, действ*, истека*, сброс*, восстанов*, никому, не сообщайте, регистрац*, активир*, заверш*, личност*, это вы, получени*, получить, курьер*, разблок*, одноразов*, смен* пароля, нового устройства, новое устройство, с нового, это были вы, если это вы, привяз*, сопряж*, ячейк*, постамат*, банкомат*, подпис*, новый пароль, один раз, зашифрован*
    small: это, вот, следующ*, ниже, экране, сюда, здесь, просто, поле, есть, с, нему, ему, ей, затем, потом, для, чтобы, на, в, во, как, и, или, при, там, где, когда, если, по, не, он, ваш, вашего, является, вместе, от, за
    offer: скидк*, купон*, промокод*
    booking: бронирован*, отел*, рейс*, гост*, ноч*, проживан*, посадк*
    verify: подтверд*, активир*, верифиц*
    reset: сброс* парол*, сбросить парол*
    change: сброс*, измен*, новы*, новог*, восстанов*, смен*, созда*, забыл*
    password: парол*
    login: войти, вход в, войдите, волшебн*
    invite: приглаш*, присоедин*
    unsubscribe: отпис*, отказаться от рассылк*, не хотите получать, не хотите больше получать, не желаете получать`,
  japanese: `
    code: コード, 認証番号, 確認番号, 暗証番号, 検証番号, 照合番号, 本人確認番号, 認証キー, 確認キー, 認証用番号, ワンタイムパス, ワンタイム パス, ワンタイムトークン, パスコード, 仮パスワード
    sign: 合言葉, パスワード, 数字, 番号, 文字, 文字列, 英数字, けた, 桁, キー, トークン, 暗号
    other: キーボックス, クーポン, プロモーション, 割引, キャンペーン, ギフト, 紹介, 招待者, バーコード, qr, 商品, エラー, 国コード, 予約, 追跡, 優待, シリアル, ソース, カラー, 店舗, 支店, キャッシュバック, 注文, 受注, 請求, お客様番号, 顧客, 会員, 伝票, 問い合わせ, 問合せ, 問合わせ, 受付, 郵便, 電話, 口座, 契約, 便名, 会議, ミーティング, 製品, 型番, 取引, 決済番号, 配送, 送り状, 管理, チケット, 申込, 申し込み, 整理, 登録番号, 領収書, ケース, 車両, 座席, カード番号, 証券, 部屋, 確認書, お支払い番号, 収納機関, 案件, バージョン, 下4桁, 下四桁, 末尾, 〒, 号室, 合計, 金額, 残高, 数量, 約, 承認, 入館, 招待コード, ナンバー
    enter: 入力, ご利用ください, 使用して, お使い, 打ち込, 打って, 押して, お伝え, 伝えて, 提示, 見せて, お見せ, 貼り付け, コピー, 記入, タップ, 使って, 使うと, 読み上げ, ご使用, 入れて, お入れ, 転記, 書き込, 使い
    purpose: サインイン, 認証, 確認, 有効, 再設定, リセット, 本人, 登録, 二段階, 2段階, 他人, 共有しない, 教えない, アクセス, 手続き, 新しい端末, 新しいデバイス, 連携, ペアリング, 受け取り, 受取, お引き取り, 宅配ボックス, ロッカー, 引き出し, 署名, 一度だけ, 一度のみ, 一度限り
    small: は, が, を, に, で, と, の, です, こちら, こちらは, これ, →
    offer: クーポン, 割引, セール, 送料無料
    booking: 予約, ホテル, 宿泊, 便名, 搭乗, チェックイン, 旅程
    verify: メールアドレスを確認, メールアドレスの確認, メールを確認, メール確認, メール認証, メールアドレスを認証, アドレスを確認, アカウントを有効, アカウントの確認, アカウントを確認, 登録を完了, 登録の完了, 登録を確認, 本人確認, 確認する, 認証する, 認証を完了, 確認を完了, 有効化, 本登録, 購読を確認, 配信を承認
    reset: 再設定する, 再設定はこちら, リセットする, リセットはこちら
    change: 再設定, リセット, 変更, 再発行, お忘れ, 設定, 新しい
    password: パスワード
    login: ログイン, サインイン, マジックリンク
    invite: 招待, チームに参加, ワークスペースに参加, グループに参加, 組織に参加, プロジェクトに参加, 参加する
    unsubscribe: 配信停止, 配信を停止, 配信の停止, 配信解除, 配信の解除, 配信を解除, 配信中止, 購読解除, 購読を解除, 購読停止, 購読を停止, メルマガ解除, メルマガを解除, メルマガ停止, メルマガ退会, 登録解除, 登録を解除, 受信停止, 受信を停止, 受信拒否, 受信しない, メールの停止, 解除は`,
  chinese: `
    code: 验证码, 驗證碼, 校验码, 校驗碼, 确认码, 確認碼, 安全码, 安全碼, 动态码, 動態碼, 动态密码, 動態密碼, 登录码, 登錄碼, 登入碼, 登陆码, 识别码, 识别碼, 一次性密码, 一次性密碼, 一次性码, 一次性碼, 一次密码, 授权码, 授權碼, 取件码, 取件碼, 提货码, 提貨碼, 身份码, 备用码, 備用碼, 恢复码, 恢復碼, 配对码, 配對碼, 绑定码, 綁定碼, 核验码, 核驗碼, 短信码, 簡訊碼, 手机码, 邮箱码, 邮件码, 支付码, 解锁码, 解鎖碼, 激活码, 啟用碼, 启用码, 核销码, 临时密码, 臨時密碼, 动态口令, 動態口令, 口令, 代码, 代碼, 取貨碼, 取货码
    sign: 密码, 密碼, 数字, 數字, 字符, 字元, 字母, 位数, 位數, 暗号, 暗號, 令牌, 密钥, 密鑰, 组合, 号码, 號碼
    other: 门禁, 門禁, 门锁, 优惠, 優惠, 折扣, 促销, 推荐, 邀请, 邀請, 兑换, 兌換, 二维码, 二維碼, 条形码, 條碼, 條形碼, 邮政编码, 邮编, 郵編, 郵遞區號, 区域码, 国家代码, 错误代码, 错误码, 产品, 商品, 股票, 订单, 訂單, 统一编, 統一編, 发票, 發票, 快递单, 物流, 运单, 追踪, 客户, 会员, 會員, 会议, 會議, 预订, 預訂, 预约, 航班, 电话, 電話, 手机号, 账号尾, 合同, 流水, 工单, 工單, 案件, 编号, 編號, 序列, 房间, 车次, 身份证, 银行卡, 案號, 单号, 單號, 参考, 申请, 尾号, 尾號, 客服, 热线, 版本, 总计, 金额, 余额, 数量, 约, 超过, 第, 交易号, 交易编号, 交易單號, 末四, 末4, 后四, 後四, 尾数, 尾數, 叫号, 叫號
    enter: 填到, 填进, 填在, 输到, 输入, 輸入, 使用, 填写, 填寫, 填入, 填上, 键入, 鍵入, 凭, 憑, 出示, 告知, 告诉, 告訴, 报出, 報出, 提供, 粘贴, 貼上, 贴到, 貼到, 复制, 複製, 按下, 抄写, 敲入, 输进, 回复, 回覆, 报给
    purpose: 注册, 註冊, 验证, 驗證, 确认, 確認, 有效, 过期, 過期, 重置, 重設, 请勿, 請勿, 泄露, 洩露, 身份, 绑定, 激活, 新设备, 新裝置, 新装置, 取件, 取快递, 提货, 取貨, 取货, 快递柜, 取款, 签署, 簽署, 一次有效, 新密码, 新密碼, 授权, 授權, 核验, 核驗, 校验, 校驗
    small: 将, 把, 將, 为, 為, 是, 您, 的, 到, 前往, 在, 去, 可, 继续, 繼續, 即可, 完成, 进行, 進行, 以, 来, 來
    offer: 优惠, 優惠, 折扣, 满减
    booking: 预订, 預訂, 酒店, 飯店, 航班, 入住, 旅客, 行程, 登机
    verify: 验证邮箱, 驗證郵箱, 验证电子, 驗證電子, 确认邮箱, 確認電子, 确认电子, 验证账户, 激活账户, 激活账号, 激活帐号, 啟用帳號, 啟用帳戶, 激活, 确认注册, 確認訂閱, 确认订阅, 验证身份, 立即验证, 立即驗證, 立即确认, 立即確認, 立即激活, 验证您的, 驗證您的, 确认您的, 確認您的, 验证邮件
    reset: 重置, 重設密碼
    change: 重置, 重设, 重設, 修改, 更改, 找回, 设置新, 設定新, 忘记, 忘記, 更新
    password: 密码, 密碼
    login: 登录, 登錄, 登入, 一键登
    invite: 邀请, 邀請, 加入团队, 加入團隊, 加入工作, 加入群组, 加入项目, 加入组织, 立即加入
    unsubscribe: 退订, 退訂, 取消订阅, 取消訂閱, 不再接收, 不再收到, 不想接收, 不想收到, 拒收`,
  korean: `
    code: 인증번호, 인증 번호, 확인번호, 확인 번호, 보안번호, 보안 번호, 액세스 번호, 인증코드, 코드, 비밀번호
    sign: 숫자, 문자, 번호, 자리, 암호
    other: 주문, 송장, 운송장, 예약, 고객, 전화, 우편, 계좌, 문의, 접수, 할인, 쿠폰
    enter: 입력, 누르, 말씀, 제시, 알려
    purpose: 인증, 유효, 새 기기, 본인
    small: 은, 는, 이, 가, 을, 를, 로, 입니다
    verify: 이메일 인증, 이메일 확인, 이메일인증, 인증하기
    change: 재설정, 변경
    password: 비밀번호
    login: 로그인
    invite: 초대
    unsubscribe: 수신거부, 수신 거부, 구독취소, 구독 취소`,
  swedish: `
    code: *kod, *koden, *koder, engangslosenord
    sign: siffror*, tecken, tecknen, *losenord*, nyckel, nummer
    other: order*, faktura*, kund*, arende*, boknings*, bestallning*, paket*, sparnings*, telefon*, rabatt*, kampanj*, produkt*, streck*, presentkort*, lands*, farg*, belopp, summa, postkod*, postnummer*, felkod*
    enter: ange, anvand*, skriv, skriv in, fyll i, mata in, sla in, knappa in, uppge, klistra in, visa
    purpose: logga in, inloggning*, bekraft*, verifier*, giltig*, ny enhet, ar du, dela inte, minuter
    small: ar, din, ditt, for, som, med, och, att, den, det, har, innan, efter, eller, nar, pa
    verify: bekrafta, verifiera, aktivera
    change: aterstall*, byt*, nytt, skapa
    password: losenord*
    login: logga in
    invite: inbjud*, acceptera inbjudan
    unsubscribe: avsluta prenumeration*, avprenumerera, avregistrera*, avanmal*`,
  danish_and_norwegian: `
    code: *kode, *koden, *koder, engangsadgangskode, engangspassord
    sign: tallene, cifrene, tegnene, *adgangskode*, *passord*, noklen, noegle, nummer
    other: ordre*, faktura*, kunde*, sags*, saks*, booking*, bestilling*, pakke*, sporings*, telefon*, rabat*, produkt*, streg*, fejl*, feil*, gavekort*, lands*, belob, belop, postnummer*, postkode*
    enter: tast*, indtast*, brug, bruk, oppgi, angi, skriv inn, indsaet, vis, opgiv, oplys
    purpose: log ind, logge ind, logg inn, logge inn, bekraeft*, bekreft*, gyldig*, ny enhed, ny enhet, er du, del ikke, minutter
    small: er, din, dit, til, som, med, og, at, den, det, for, eller, nar, pa, gaelder
    verify: bekraeft*, bekreft*, aktiver*, verificer*
    change: nulstil*, tilbakestill*, skift*, nyt, nytt, opret, opprett
    password: adgangskode*, passord*, kodeord*
    login: log ind, logg inn
    invite: invitation, invitasjon*
    unsubscribe: afmeld*, avmeld*, frameld*`,
  finnish: `
    code: *koodi, *koodisi, *koodin, *koodia, kertakayttosalasana*
    sign: numero*, merkit, merkkia, *salasana*, avain
    other: tilaus*, lasku*, alennus*, tuote*, posti*, asiakas*, puhelin*, varaus*, lahetys*, seuranta*, kuponki*, viite*, virhe*
    enter: syota*, kayta*, nayta, nappaile, kirjoita
    purpose: vahvist*, kirjaut*, voimassa, vanhenee, ala jaa, minuutti*
    small: on, sinun, tai, ja
    verify: vahvista*, aktivoi*
    change: vaihda, palauta, uusi, nollaa
    password: salasana*
    login: kirjaudu*
    invite: kutsu*
    unsubscribe: peruuta tilaus*, peru tilaus*`,
  turkish: `
    code: kod, kodu, kodun, kodunuz, kodunuzdur, kodudur, sifre, sifreniz, sifresi, sifrenizdir
    sign: rakam*, sayi*, anahtar, parola, numara*
    other: siparis*, fatura*, takip*, musteri*, telefon*, promosyon*, indirim*, posta*, kupon*, urun*, hata*, kargo*, rezervasyon*, barkod*, tutar*, toplam*
    enter: girin*, kullan*, yazin*, tuslayin, soyleyin, gosterin
    purpose: giris*, dogrula*, onay*, gecerli*, yeni cihaz, paylasmayin*, suresi, dakika*
    small: bu, icin, ile, ve, olarak, asagidaki, tek
    offer: indirim*
    verify: dogrula*, onayla*
    change: sifirla*, yenile*, degistir*
    password: sifre*, parola*
    login: giris yap*
    invite: davet*
    unsubscribe: abonelikten*, aboneligi iptal*`,
  romanian: `
    code: cod, codul, codului, parola unica, parola temporara
    sign: cifrele, numarul, parola
    other: comand*, factur*, client*, postal*, reducere, promotional*, produs*, colet*, telefon*, rezervare*, bare, eroare
    enter: introdu*, tastati, folositi, foloseste, utilizati, completati
    purpose: autentific*, conect*, verific*, confirm*, valabil*, expira, nu il comunica*, minute
    small: este, tau, dumneavoastra, pentru, la, si, sau, de
    verify: verifica, confirma, activeaza
    change: reset*, schimba, noua, seta*
    password: parola, parolei
    login: autentificare, conecteaza te
    unsubscribe: dezabon*`,
  ukrainian: `
    code: код, коду, кодом, пароль одноразовий, одноразовий пароль
    sign: цифри, символи, пароль, ключ, номер
    other: замовлен*, рахун*, клієнт*, знижк*, поштов*, товар*, бронюван*, телефон*, посилк*, накладн*, промо*
    enter: введіть, вкажіть, назвіть, покажіть, використайте, використовуйте
    purpose: підтвер*, увійти, дійсн*, нікому, хвилин*
    small: ваш, це, для, до, з, та, і, або
    verify: підтвердити, підтвердьте, активувати
    change: скинути, змінити, новий, відновити
    password: парол*
    login: увійти
    unsubscribe: відпис*`,
  indonesian_and_malay: `
    code: kod, kode, tac, kata sandi sekali pakai, kata laluan sekali guna
    sign: angka, nombor, nomor, kata sandi, kata laluan
    other: pesanan*, faktur, invois, diskaun, diskon, poskod, pos, penjejakan, pelacakan, pelanggan, telefon, telepon, produk, tempahan, pemesanan, akaun no, resit, jumlah, promosi, baucar, ralat, talian, jalan, berakhir
    enter: masukkan, gunakan, guna, taip, ketik, isi
    purpose: pengesahan, verifikasi, log masuk, masuk, sah, berlaku, tamat tempoh, kedaluwarsa, jangan kongsi, jangan bagikan, jangan berikan, daftar*, keselamatan, keamanan, sekali, minit, menit
    small: ialah, adalah, anda, ini, di bawah, di, bawah, untuk, dan, atau, dalam, berikut, ke
    offer: diskaun, diskon
    verify: sahkan, verifikasi
    change: tetapkan semula, set semula, tukar, atur ulang, baru, ubah
    password: kata laluan, kata sandi
    login: log masuk
    invite: jemputan, undangan
    unsubscribe: berhenti melanggan, henti langgan*, berhenti berlangganan, nyahlanggan`,
  arabic: `
    code: *رمز*, *رمزك*, *كود*, كلمة مرور لمرة واحدة, كلمة المرور لمرة واحدة, كلمة السر المؤقتة, كلمة المرور المؤقتة, رقم التحقق, رقم سري
    sign: *الرقم*, *ارقام*, كلمة المرور, كلمة السر
    other: *طلب*, *فاتورة*, *عملية*, *بريدي*, *خصم*, *قسيمة*, *شحنة*, *تتبع*, *عميل*, *هاتف*, *حجز*, *منتج*, *مبلغ*, *بطاقة*, *حساب رقم*, *مرجع*, *رحلة*, *تذكرة*, *ترويجي*, *ص.ب*, *خطا*, *اتصل*, *المنتهية*
    enter: *ادخل*, *استخدم*, *اكتب*, *ادخال*, *استخدام*
    purpose: *تحقق*, *تاكيد*, *دخول*, *صالح*, *صلاحية*, *تنتهي*, *لا تشارك*, *تفعيل*, *تسجيل*, *لمرة واحدة*, *امان*, *دقائق*
    small: هو, هي, الخاص, بك, التالي, ادناه, لك, هذا, في, الى, على, من, لحسابك
    offer: *خصم*
    verify: *تحقق من*, *تاكيد البريد*, *تاكيد بريدك*, *تاكيد الحساب*, *تفعيل*
    change: *تعيين*, *تغيير*, *جديدة*, *استعادة*, *نسيت*
    password: كلمة المرور, كلمة مرور*, كلمة السر
    login: تسجيل الدخول
    invite: *دعوة*, *انضم*
    unsubscribe: *الغاء الاشتراك*, *الغاء اشتراكك*`,
  persian: `
    code: کد, کدی, رمز یکبار مصرف, رمز یک بار مصرف, رمز پویا, رمز موقت, رمز
    sign: عدد, ارقام, شماره, گذرواژه
    other: سفارش*, فاکتور*, پستی, رهگیری, مرسوله, تخفیف, مشتری, تلفن, رزرو*, محصول, کالا, مبلغ, حساب, کارت, پیگیری, ملی, پشتیبانی, تماس, پلاک, خطا, معرف
    enter: وارد*, استفاده کنید, بنویسید
    purpose: تایید, ورود, معتبر, اعتبار, منقضی, فعال*, ثبت نام, ثبتنام, اختیار, یکبار مصرف, دقیقه
    small: شما, برای, این, زیر, است, را, به, از, در, می باشد
    offer: تخفیف
    verify: تایید ایمیل, تایید حساب, فعال سازی, فعالسازی, تایید نشانی
    change: بازنشانی, تغییر, جدید, بازیابی, فراموشی
    password: رمز عبور, گذرواژه
    login: ورود به
    invite: دعوت*
    unsubscribe: لغو اشتراک, لغو عضویت`,
  hebrew: `
    code: קוד, הקוד, קודים, *סיסמה חד פעמית, הסיסמה החד פעמית, סיסמה זמנית
    sign: הספרות, מספר, המספר, סיסמה, הסיסמה
    other: *הזמנה*, *חשבונית*, *הנחה, קופון*, *מיקוד*, *טלפון*, *לקוח*, *משלוח*, *מעקב*, *מוצר*, *סניף*, *חשבון*, ח.פ, *אסמכתא, *פנייה*, *שגיאה, סכום*
    enter: *הזן, *הזינו, *הזיני, *הקלד*, *הכנס*, השתמש*
    purpose: *אימות*, *לאמת, *כניסה*, *להיכנס, *התחבר*, *תקף, *תוקף*, *אין למסור, *לאישור, *אישור, *הרשמה, *חד פעמי*, *אבטחה, דקות
    small: הוא, היא, והוא, והיא, שלך, שלכם, הבא, הנה, את, זה, של, עבור
    offer: *הנחה
    verify: אימות, אמת, אשר, *אימות כתובת*
    change: *איפוס*, *אפס*, *שינוי*, *חדשה, *שכחת*
    password: *סיסמה, *סיסמתך
    login: *התחבר*, *כניסה*
    invite: *הזמנה להצטרף, *הצטרף*
    unsubscribe: *הסרה מ*, *הסר מ*, ביטול הרשמה, ביטול מינוי`,
  hindi_and_tamil_and_bengali: `
    code: कोड, ओटीपी, पासकोड, पिन, *குறியீடு*, *குறியீட்டை*, ஓடிபி, கடவுக்குறி*, কোড, কোডটি, কোডটা, ওটিপি, পিন
    sign: अंक, संख्या, नंबर, पासवर्ड, *எண், கடவுச்சொல்*, সংখ্যা, নম্বর, পাসওয়ার্ড
    other: ऑर्डर, चालान, इनवॉइस, खाता, ट्रैकिंग, छूट, कूपन, ग्राहक, फ़ोन, फोन, बुकिंग, उत्पाद, राशि, पिन कोड, डाक, कार्ड, संदर्भ, सेवा, त्रुटि, हेल्पलाइन, ஆர்டர்*, விலைப்பட்டியல்*, அஞ்சல்*, தள்ளுபடி*, தொகை, அட்டை*, உதவி*, தொலைபேசி*, முன்பதிவு*, வாடிக்கையாளர்*, கண்காணிப்பு*, பொருள்*, অর্ডার*, চালান*, পোস্ট*, ছাড়*, কুপন*, গ্রাহক*, ফোন*, হেল্পলাইন, বুকিং*, পণ্য*, মোট, কার্ড*, ট্র্যাকিং*, অ্যাকাউন্ট নম্বর, লেনদেন*, ডাক*
    enter: दर्ज, डालें, उपयोग, प्रयोग, टाइप, *உள்ளிட*, பயன்படுத்த*, লিখুন, দিন, ব্যবহার করুন, প্রবেশ করান
    purpose: सत्यापन, सत्यापित, पुष्टि, लॉगिन, लॉग इन, मान्य, समाप्त, साझा न, सक्रिय, सुरक्षा, एक बार, मिनट, *சரிபார்ப்பு*, *உறுதிப்படுத்த*, *உள்நுழை*, *செல்லுபடி*, *காலாவதி*, பகிர*, *நிமிட*, যাচাই*, নিশ্চিত*, লগইন*, বৈধ, মেয়াদ*, শেয়ার কর*, জানাবেন না, সক্রিয়*, নিরাপত্তা, মিনিট*
    small: है, यह, आपका, आपके, नीचे, करें, के, लिए, का, की, இது, உங்கள், கீழே, உள்ள, இந்த, আপনার, এই, নিচের, হল, হলো, জন্য
    offer: छूट, தள்ளுபடி*, ছাড়*
    verify: सत्यापित करें, ईमेल सत्यापित*, पुष्टि करें, सक्रिय करें, சரிபார்க்க*, உறுதிப்படுத்த*, যাচাই করুন, নিশ্চিত করুন
    change: रीसेट, बदलें, नया, भूल, மீட்டமை*, மாற்ற*, புதிய, রিসেট, পরিবর্তন, নতুন
    password: पासवर्ड, கடவுச்சொல்*, পাসওয়ার্ড*
    login: लॉग इन, लॉगिन, உள்நுழைக, লগইন
    unsubscribe: सदस्यता समाप्त, अनसब्सक्राइब, குழுவிலக*, সাবস্ক্রিপশন বাতিল, আনসাবস্ক্রাইব*`,
  thai: `
    code: รหัส, โอทีพี, รหัสผ่านครั้งเดียว
    sign: ตัวเลข, หมายเลข, เลข
    other: สั่งซื้อ, ใบแจ้งหนี้, ไปรษณีย์, ส่วนลด, การจอง, เลขพัสดุ, ติดตามพัสดุ, ลูกค้า, โทร, สินค้า, อ้างอิง, ยอด, บัตร, บัญชีเลขที่, เลขที่บัญชี, คูปอง, ภาษี, คำร้อง, พัสดุ
    enter: กรอก, ใส่, ใช้รหัส, ป้อน, พิมพ์
    purpose: ยืนยัน, เข้าสู่ระบบ, หมดอายุ, ใช้ได้, ห้ามบอก, อย่าบอก, ลงทะเบียน, ครั้งเดียว, ความปลอดภัย, นาที, otp
    small: ของคุณ, คือ, ด้านล่าง, นี้, ต่อไปนี้, สำหรับ, เพื่อ, ของ, ท่าน
    offer: ส่วนลด
    verify: ยืนยันอีเมล, ยืนยันบัญชี, เปิดใช้งาน
    change: ตั้ง, รีเซ็ต, เปลี่ยน, ลืม
    password: รหัสผ่าน
    login: เข้าสู่ระบบ
    invite: คำเชิญ, เข้าร่วม
    unsubscribe: ยกเลิกการสมัคร, ยกเลิกรับข่าวสาร, เลิกรับ`,
  vietnamese: `
    code: mật khẩu một lần, mật khẩu dùng một lần, mật khẩu tạm thời, mã xác thực, mã xác nhận, mã xác minh, mã otp, mã bảo mật, mã đăng nhập, mã kích hoạt, mã dưới đây, mã bên dưới, mã này, mã của bạn, nhập mã, mã dùng một lần, mã số bí mật
    sign: chữ số, mật khẩu
    other: đơn hàng, hóa đơn, vận đơn, bưu chính, bưu điện, giảm giá, khuyến mãi, khách hàng, điện thoại, đặt chỗ, đặt phòng, sản phẩm, tài khoản, tổng cộng, thuế, vạch, lỗi, chuyến bay, số tiền, giao dịch số, mã giao dịch, mã số thuế, thẻ số, tài khoản số
    enter: nhập, sử dụng, dùng, điền
    purpose: xác thực, xác nhận, xác minh, đăng nhập, đăng ký, hiệu lực, hết hạn, không chia sẻ, không cung cấp, kích hoạt, bảo mật, phút
    small: là, của, bạn, quý khách, dưới đây, sau, này, để, cho, có, bên dưới, dưới
    offer: giảm giá, khuyến mãi
    verify: xác minh, xác nhận, xác thực, kích hoạt
    change: đặt lại, đổi, mới, quên, khôi phục
    password: mật khẩu
    login: đăng nhập
    invite: lời mời, tham gia
    unsubscribe: hủy đăng ký, ngừng nhận`,
  czech_and_slovak: `
    code: kód*, jednorázové heslo, jednorazové heslo, jednorázovým heslem, dočasné heslo
    sign: číslice, číslo, čísla, znaky, heslo, klíč, kľúč
    other: objednávk*, faktur*, zásilk*, zásielk*, zákazn*, slev*, zľav*, produkt*, tovar*, zbož*, poštovn*, psč, telefon*, infolink*, rezervac*, rezervác*, variabilní, variabilný, účtu č*, částka, ičo, dič, chyb*, čárov*, čiarov*, žádost*, žiadost*, kupon*, promo*, vlak*, pokoj*, celkem, celkom
    enter: zadej*, zadajte, zadaj, použij*, použit*, vlož*, vyplň*, napiš*, napíš*, sdělte, ukažte
    purpose: ověř*, potvr*, přihlá*, prihlá*, platí, vypr*, nesdělujte, nesděluj*, neoznamujte, neposkytuj*, jednoráz*, jednoraz*, aktiv*, registr*, bezpečnost*, minut*, overova*, overen*, overi*, overte, platnosť, platný, vyprší
    small: je, váš, vaše, tvůj, tvoj, pro, pre, tento, tuto, na, k, ke, do, následující, nasledujúci, níže, nižšie, a, nebo, alebo
    offer: slev*, zľav*
    verify: ověřit, overiť, potvrdit, potvrdiť, potvrďte, aktivovat, aktivovať
    change: obnov*, změn*, zmen*, nov*, nastav*, zapomen*, zabud*
    password: hesl*
    login: přihlásit*, prihlásiť*
    invite: pozvánk*, pozván*, připoj*, pripoj*
    unsubscribe: odhlásit*, odhlásiť*, zrušit odběr*, zrušiť odber*`,
  greek: `
    code: κωδικ*
    sign: αριθμ*, ψηφία, συνθηματικό*
    other: παραγγελ*, τιμολόγ*, αποστολ*, προϊόν*, πελατ*, ταχυδρομ*, τ.κ, έκπτωσ*, εκπτωτικ*, κουπόνι*, κράτησ*, τηλ, τηλέφων*, σύνολο, ποσό, κάρτ*, αφμ, εξυπηρέτησ*, σφάλμα*, πτήσ*, αρ
    enter: εισαγ*, εισάγ*, χρησιμοποι*, πληκτρολογ*, συμπληρ*
    purpose: επαλήθευσ*, επιβεβαί*, σύνδεσ*, συνδεθ*, ισχύ*, λήγει, κοινοποι*, μοιραστ*, μίας χρήσης, μιας χρήσης, ενεργοποι*, ασφαλεί*, εγγραφ*, λεπτ*
    small: είναι, σας, σου, για, να, τον, την, το, ο, η, παρακάτω, ακόλουθο, και, ως
    offer: έκπτωσ*
    verify: επιβεβαίωσ*, επαλήθευσ*, ενεργοποίησ*
    change: επαναφορ*, αλλαγ*, νέο*, νέου, ξέχασ*
    password: κωδικού πρόσβασης, κωδικό πρόσβασης, κωδικός πρόσβασης, κωδικού, συνθηματικό*
    login: σύνδεση
    invite: πρόσκλησ*
    unsubscribe: διαγραφή από*, κατάργηση εγγραφής, απεγγραφ*`,
  hungarian: `
    code: *kód*, egyszeri jelszó*, egyszer használatos jelszó*, ideiglenes jelszó*
    sign: szám*, számot, jelszó*, számjegy*
    other: rendel*, számla*, kupon*, kedvezmény*, vonal*, irányító*, ügyfél*, telefon*, összeg*, kártya*, termék*, foglal*, nyomkövet*, csomag*, adószám*, cikk*, hiba*, járat*
    enter: írd be, írja be, add meg, adja meg, adja be, használ*, másold, gépel*, megad*
    purpose: ellenőrz*, megerősít*, bejelentkez*, belép*, érvényes, lejár*, ne adja meg*, ne oszd meg, ne ossza meg, egyszeri, hitelesít*, aktivál*, regisztrá*, biztonsági*, perc, percig, percen
    small: az, a, ez, ezt, ön, te, alábbi, következő, és, vagy, itt
    offer: kedvezmény*
    verify: megerősít*, hitelesít*, aktivál*, ellenőrz*
    change: visszaállít*, módosít*, új, elfelejt*, csere
    password: jelszó*, jelszav*
    login: bejelentkez*, belép*
    invite: meghív*, csatlakoz*
    unsubscribe: leiratkoz*`,
  slovenian_and_croatian: `
    code: koda, kode, kodo, kodi, kod, koda, kodom, enkratno geslo, jednokratna lozinka
    sign: številka, številko, broj, znamenke, geslo, zaporka, lozinka
    other: naročil*, narudžb*, račun*, popust*, izdelk*, proizvod*, poštn*, poštansk*, stranke, kupca, korisničk*, uporabnik*, rezervacij*, pošiljk*, znesek, iznos, kartic*, oib, sledenj*, praćenj*, kupon*, ddv, pdv, vlak, napak*, grešk*, br
    enter: vnesite, vnesi, vpišite, uporabite, uporabi, unesite, unesi, upišite, upotrijebite, upotrebite, koristite, iskoristite
    purpose: potrdi*, potrditven*, potvrd*, prijav*, velja, vrijedi, važi, veljavn*, važeć*, poteče, ističe, ne delite, dijeliti, jednokratn*, enkratn*, verifikacij*, aktiv*, registr*, varnostn*, sigurnosn*, minut*
    small: je, vaš, vaša, tvoja, tvoj, za, ta, ovaj, to, spodnjo, naslednjo, sljedeći, u, v, in, i, ali, ili, kako
    offer: popust*
    verify: potrdi*, potrditev, potvrdi*, potvrda, aktiviraj*
    change: ponastav*, spremen*, promijen*, promjen*, nov*, resetir*, obnov*, pozab*, zaborav*
    password: gesl*, lozink*, zapork*
    login: prijava, prijavi se, prijavite se
    invite: povabil*, pozivnic*, pridruži*
    unsubscribe: odjav*`,
  bulgarian: `
    code: код, кодът, кода, кодове, еднократна парола, временна парола
    sign: цифр*, номер*, число*, парол*
    other: поръчк*, фактур*, пратк*, клиент*, пощенск*, отстъпк*, промо*, продукт*, телефон*, резервац*, сума, карт*, еик, проследяван*, баркод*, грешк*, полет*, завършва*
    enter: въведе*, въведи, използва*, попълне*, напише*
    purpose: потвържд*, потвърд*, вход*, влез*, валид*, изтича*, не го споделя*, не споделя*, еднократ*, активир*, регистра*, сигурност, минути
    small: е, вашият, вашия, твоят, за, този, следния, следният, да, и, или, си, като
    offer: отстъпк*
    verify: потвърди*, потвърждаван*, активира*
    change: смяна*, смени*, нов*, възстанов*, нулир*, забрав*
    password: парол*
    login: вход, влез
    invite: покан*
    unsubscribe: отпиш*, отписване, отказ от абонамент*`,
  lithuanian_and_latvian: `
    code: kodas, kodą, kodo, kodu, kods, kodi, vienkartinis slaptažodis, vienreizēja parole, vienreizējā parole
    sign: skaičius, skaitmen*, numeris, slaptažod*, cipar*, numurs, parole
    other: užsakym*, sąskait*, siunt*, nuolaid*, pašto, klient*, telefon*, prek*, rezervac*, mokėtojo, kortel*, suma, įmonės, pristat*, pasūtīj*, rēķin*, sūtīj*, atlai*, pasta, preces, rezervāc*, karte, kartes, kopā, reģ, pvn, pvm, kuponas, kupon*, akcij*, produkt*, klaidos, kļūd*, sekoš*
    enter: įveskite, įvesk, naudokite, panaudokite, įrašykite, ievadiet, ievadi, izmantojiet, ierakstiet
    purpose: patvirtin*, prisijung*, galioja, nesibaig*, baigiasi gal*, neatskleis*, vienkartin*, registr*, reģistr*, aktyv*, aktiv*, saugos, apstiprin*, pieslēg*, pieteik*, ielogo*, derīgs, derīga, neizpau*, vienreiz*, drošīb*, minut*, minūt*
    small: yra, jūsų, tavo, šį, šis, šo, toliau, ir, jūsu, tavs, ar, lai, lai, kad, arba, vai
    offer: nuolaid*, atlai*
    verify: patvirtin*, aktyvuo*, apstiprin*, aktivizē*
    change: atkur*, keisti, pakeis*, nauj*, nustat*, pamirš*, atjauno*, mainīt, nomain*, jaun*, iestat*, aizmirs*
    password: slaptažod*, parol*
    login: prisijunk*, prisijungti, pieslēgties, ielogoties
    invite: kvietim*, pakvie*, ielūgum*, uzaicin*
    unsubscribe: atsisaky*, nebegauti, atrakstī*, atteikties no*`,
  estonian: `
    code: *kood, *koodi, *koodiga, ühekordne parool, ajutine parool
    sign: number, numbrid, parool
    other: tellimus*, arve*, soodus*, allahindlus*, postiindeks*, kliendi*, klienditugi, telefon*, toote*, broneering*, saadetis*, jälgimis*, registrikood*, summa, viite*, triipkood*, ribakood*, isikukood*, kupongi*, veakood*
    enter: sisesta*, kasuta*, kirjuta*
    purpose: kinnit*, sisselog*, logi sisse, sisse logi*, kehtib, aegub, ära jaga*, ärge jaga*, ühekordne, aktiveeri*, registreeri*, turva*, minuti*
    small: on, sinu, teie, see, seda, järgmine, järgmist, ja, või, et
    offer: soodus*, allahindlus*
    verify: kinnita*, aktiveeri*
    change: lähtesta*, muuda*, uus, määra, taasta*, unusta*
    password: parool*
    login: logi sisse
    invite: kutse*, liitu*
    unsubscribe: loobu*, tühista tellimus*`,
  swahili: `
    code: msimbo*, namba ya siri, nambari ya siri, neno la siri la muda, nambari yako ya uthibitisho, nambari ya uthibitisho, namba ya uthibitisho
    sign: nambari, namba, tarakimu, nenosiri
    other: oda, agizo, ankara, punguzo, posta, simu, mteja, wateja, bidhaa, malipo, jumla, akaunti nambari, kifurushi, ufuatiliaji, s.l.p, kadi, tiketi
    enter: weka, ingiza, tumia, andika
    purpose: uthibitisho, thibitisha, kuingia, ingia, itatumika, utaisha, inaisha, usimpe, usishiriki, dakika, usalama, kujisajili
    small: ni, yako, wako, huu, hii, ya, wa, kwa, ili, na, hapa, chini
    offer: punguzo
    verify: thibitisha
    change: badilisha, weka upya, mpya, umesahau
    password: nenosiri, neno la siri
    login: ingia
    invite: mwaliko, jiunge
    unsubscribe: jiondoe, acha kupokea`,
};
