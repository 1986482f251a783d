import type { Language } from './language.js';

export const spanish: Language = {
  code: /\bnumero secreto\b|\bpalabra de (?:paso|acceso)\b|\bcodigos?\b|\bclave (?:de (?:acceso|seguridad|un solo uso|verificacion|confirmacion)|temporal|dinamica|unica)\b|\bcontrasena (?:de un solo uso|temporal|unica)\b|\bpin\b|\btoken\b|\bclave\b|\botp\b|\bnip\b|\bnumero de (?:verificacion|seguridad|un solo uso)\b/g,
  weak: /\b(?:usa|use|utiliza|aplica|con) (?:el )?codigo\b|\bcodigos? (?:de |del |de la |para el )(?!(?:verificacion|seguridad|confirmacion|acceso|validacion|activacion|autenticacion|identificacion|recuperacion|respaldo|entrega|recogida|retiro|desbloqueo|inicio|un solo uso|uso|restablecimiento|registro|firma|pago|cuatro|seis|un|vinculacion|operacion|transaccion|ingreso|rappi))[a-z]{3,20}\b|\bcodigos? de (?:autorizacion|entrada|invitacion)\b|(?:numeros?|cifras|digitos|letras|caracteres|combinacion|secuencia)(?<=\b(?:este|esta|estos|estas|siguientes?|el|los|las|la) (?:[a-z-]{1,14} )?(?:numeros?|cifras|digitos|letras|caracteres|combinacion|secuencia))\b(?! d(?:i|el|ella|e|ell)\b)/g,
  label:
    /\bcodigos? (?:(?:de la |del |de )?(?:caja de llaves|caja fuerte|portal|garaje|barrera|alarma)|promocional(?:es)?|de (?:descuento|promocion|cupon|reserva|seguimiento|rastreo|barras|producto|error|area|pais|cliente|referido|regalo|pedido|referencia|articulo|puerta|localizador|color)|descuento|postal(?:es)?|qr|swift|bic|fuente|fiscal|de la reserva)\b|\b(?:numero|num|n°|nº|no|nro|referencia|ref|id)s?\.? ?(?:de |del |de la )?(?:tu |su )?(?:pedido|factura|seguimiento|guia|cliente|ticket|caso|reserva|vuelo|telefono|contrato|cuenta|serie|socio|tarjeta|transaccion|poliza|orden|envio|incidencia|solicitud|expediente|referencia|confirmacion|reunion|operacion|recibo|paquete|lote|rastreo|folio)\b|\b(?:localizador|cif|nif|dni|iban|bic|termina(?:da|do)? en|ultimos (?:cuatro|4) digitos|atencion al cliente|linea directa)\b/g,
  noun: /\b(?:cita|matricula|registro|pedido|factura|ticket|caso|reserva|cuenta|cliente|tel|telefono|fax|movil|celular|no|nº|numero|num|ref|referencia|version|desde|ano|habitacion|pagina|linea|articulo|id|llamada|llama(?:nos)?|apartado|total|importe|saldo|cantidad|vuelo|tren|puerta|asiento|incidencia|orden|guia|folio|mas de|cerca de|de|del|el|en|hasta|cp|error|los|las|nuestros|y)\b/g,
  enter:
    /\b(?:introduc(?:e|ir|elo|zca)|ingres[ae]r?|ingresalo|usa|utiliza|use|utilice|escribe|teclea|digita|copia|pega|pon|ponga|anota|indica|indique|dile|dale|di(?= (?:el|la|tu|su|este|al|que|los|las)\b| ?$| \d)|diga|muestra|muestre|ensena|presenta|facilita|proporciona|marca|inserta|inserte|escriba|digite|teclee|copie|pegue|marcar|marque|anote|anotar|teclear|escribir|escribiendo|dicta|dicte|dictele|dictale|comunica(?:le)?|muestrale|muestrele|digale|ensenale|entrega(?:le)?|rellena|copiar|pegar|dar|lee|lea|responde|envia|envie|pulsa|usar|tecleando|digitar|introducir)\b/g,
  sign: /\b(?:cifras|digitos|numeros|letras|caracteres|combinacion|secuencia|serie|clave|contrasena|palabra (?:clave|secreta|de paso)|contrasenia|frase (?:secreta|de paso)|token|llave|secreto)\b/g,
  lead: /\b(?:luego|despues)\b|\b(?:es|son|sera|con|como|siguiente|siguientes|esto|aqui|web|app|cajero|este|esta|a)\b/g,
  purpose:
    /\biniciar? sesion\b|\binicio de sesion\b|\bacceder\b|\bacceso\b|\bverific|\bconfirm|\bautentic|\bdos (?:pasos|factores)\b|\bcaduca|\bvence\b|\bexpira|\bvalid[oa]\b|\brestablec|\bactiva|\bno (?:lo )?compart|\bcontinuar\b|\bcompletar\b|\bun solo uso\b|\bidentidad\b|\beres tu\b|\bautoriz|\baprob|\bterminar\b|\bfinalizar\b|\brecoger\b|\brepartidor|\brecuper|\bregistr|\bentrar\b|\bdesbloque|\bvigencia\b|\bno .{0,20}(?:compartas|comparta|reveles)\b|\bvincular|\bnuevo dispositivo|\bdispositivo nuevo|\bfuiste tu\b|\bha sido usted|\bsi es usted|\bmensajero|\btaquilla|\bcajero\b|\bretiro\b|\bfirmar\b|\bcontrasena nueva|\bnueva contrasena|\buna sola vez|\bemparejar|\bcifrado\b/g,
  booking: /\b(?:reserva|hotel|vuelo|huespedes|noches|estancia|embarque|alojamiento|itinerario)\b/g,
  verify: /\b(?:verific|confirm|valid|activ)(?:a|ar|e|o)\b/,
  reset: /\brestablecer\b/,
  change: /\b(?:restablec|cambi|nueva|crea|recuper|olvid|defin|elig|establec|restaur)/g,
  password: /\b(?:contrasena|clave|pin)\b/g,
  magic: /\b(?:iniciar sesion|inicia sesion|acceder|entrar|enlace magico|acceso directo|ingresar)\b/,
  invite:
    /\binvitaci|\binvitad|\bunir(?:se|me|te) (?:al|a la|a) (?:equipo|espacio|grupo|proyecto|organizacion|familia)|^unirse|^unirme/,
  unsubscribe:
    /\bno (?:quiero|deseo) (?:seguir |volver a )?(?:recib|continuar)|\bno recibir mas\b|\b(?:dar|darse|darme|date|darte) de baja\b|\bcancelar (?:la |mi |tu )?(?:suscripcion|subscripcion)|\bdesuscrib|\banular (?:la )?suscripcion|\bdejar de recibir|\bno (?:deseas?|quieres?|desea) (?:seguir )?(?:recib|continuar)|\bdesea[sr]? dejar\b/,
};
