/** Built-in texts of order mails in all languages, with the placeholders of templates. The type requires every text in every language. */
import type { SupportedLanguage } from '../../../lib/text/locales.ts';
import type { MailTemplateKind } from './mail-kinds-and-placeholders.ts';

interface OrderMailTexts {
  greeting: string;
  /** Greeting when the name is unknown. */
  hello: string;
  subject: Record<MailTemplateKind, string>;
  intro: Record<MailTemplateKind, string>;
  rows: Record<
    | 'discount'
    | 'shipping'
    | 'tax'
    | 'total'
    | 'address'
    | 'carrier'
    | 'trackingNumber'
    | 'track'
    | 'view'
    | 'reason',
    string
  >;
}

export const orderMailTexts: Readonly<Record<SupportedLanguage, OrderMailTexts>> = {
  en: {
    greeting: 'Hello {{customer.name}},',
    hello: 'Hello,',
    subject: {
      ORDER_CONFIRMED: 'Your order {{order.number}} at {{shop.name}}',
      ORDER_SHIPPED: 'Your order {{order.number}} at {{shop.name}} is on its way',
      ORDER_CANCELLED: 'Your order {{order.number}} at {{shop.name}} was cancelled',
      ORDER_REFUNDED: 'Refund for your order {{order.number}} at {{shop.name}}',
      RETURN_ACCEPTED: 'Return of your order {{order.number}} at {{shop.name}} accepted',
      RETURN_REFUSED: 'Return of your order {{order.number}} at {{shop.name}} not accepted',
      ORDER_LINK: 'Link to your order {{order.number}} at {{shop.name}}',
    },
    intro: {
      ORDER_CONFIRMED:
        'Thank you for your order {{order.number}}. We will let you know when it is on its way.',
      ORDER_SHIPPED: 'Your order {{order.number}} is on its way. This shipment contains:',
      ORDER_CANCELLED:
        'Your order {{order.number}} was cancelled. If you have already paid, we will refund the amount.',
      ORDER_REFUNDED:
        'We have refunded {{refund.amount}} for your order {{order.number}}. Depending on the payment method, it can take a few days to arrive.',
      RETURN_ACCEPTED: 'We have accepted your return of these items of your order {{order.number}}:',
      RETURN_REFUSED:
        'We are sorry: we cannot accept the return of these items of your order {{order.number}}.',
      ORDER_LINK:
        'Here is the link to your order {{order.number}} that you requested. If you did not request it, you can ignore this mail.',
    },
    rows: {
      discount: 'Discount',
      shipping: 'Shipping',
      tax: 'Tax',
      total: 'Total',
      address: 'Delivery address',
      carrier: 'Carrier',
      trackingNumber: 'Tracking number',
      track: 'Track the shipment',
      view: 'View your order',
      reason: 'Reason',
    },
  },
  de: {
    greeting: 'Guten Tag {{customer.name}},',
    hello: 'Guten Tag,',
    subject: {
      ORDER_CONFIRMED: 'Ihre Bestellung {{order.number}} bei {{shop.name}}',
      ORDER_SHIPPED: 'Ihre Bestellung {{order.number}} bei {{shop.name}} ist unterwegs',
      ORDER_CANCELLED: 'Ihre Bestellung {{order.number}} bei {{shop.name}} wurde storniert',
      ORDER_REFUNDED: 'Erstattung zu Ihrer Bestellung {{order.number}} bei {{shop.name}}',
      RETURN_ACCEPTED: 'Rückgabe zu Ihrer Bestellung {{order.number}} bei {{shop.name}} angenommen',
      RETURN_REFUSED: 'Rückgabe zu Ihrer Bestellung {{order.number}} bei {{shop.name}} abgelehnt',
      ORDER_LINK: 'Link zu Ihrer Bestellung {{order.number}} bei {{shop.name}}',
    },
    intro: {
      ORDER_CONFIRMED:
        'vielen Dank für Ihre Bestellung {{order.number}}. Sobald sie unterwegs ist, melden wir uns wieder.',
      ORDER_SHIPPED: 'Ihre Bestellung {{order.number}} ist auf dem Weg zu Ihnen. Diese Sendung enthält:',
      ORDER_CANCELLED:
        'Ihre Bestellung {{order.number}} wurde storniert. Falls Sie schon bezahlt haben, erstatten wir den Betrag.',
      ORDER_REFUNDED:
        'zu Ihrer Bestellung {{order.number}} haben wir {{refund.amount}} erstattet. Je nach Zahlungsart kann es einige Tage dauern, bis der Betrag bei Ihnen eingeht.',
      RETURN_ACCEPTED:
        'wir haben Ihre Rückgabe dieser Artikel aus Ihrer Bestellung {{order.number}} angenommen:',
      RETURN_REFUSED:
        'leider können wir diese Artikel aus Ihrer Bestellung {{order.number}} nicht zurücknehmen.',
      ORDER_LINK:
        'hier ist der angeforderte Link zu Ihrer Bestellung {{order.number}}. Falls Sie ihn nicht angefordert haben, können Sie diese Mail ignorieren.',
    },
    rows: {
      discount: 'Rabatt',
      shipping: 'Versand',
      tax: 'Steuer',
      total: 'Gesamt',
      address: 'Lieferadresse',
      carrier: 'Versanddienst',
      trackingNumber: 'Sendungsnummer',
      track: 'Sendung verfolgen',
      view: 'Bestellung ansehen',
      reason: 'Begründung',
    },
  },
  fr: {
    greeting: 'Bonjour {{customer.name}},',
    hello: 'Bonjour,',
    subject: {
      ORDER_CONFIRMED: 'Votre commande {{order.number}} chez {{shop.name}}',
      ORDER_SHIPPED: 'Votre commande {{order.number}} chez {{shop.name}} est en route',
      ORDER_CANCELLED: 'Votre commande {{order.number}} chez {{shop.name}} a été annulée',
      ORDER_REFUNDED: 'Remboursement de votre commande {{order.number}} chez {{shop.name}}',
      RETURN_ACCEPTED: 'Retour de votre commande {{order.number}} chez {{shop.name}} accepté',
      RETURN_REFUSED: 'Retour de votre commande {{order.number}} chez {{shop.name}} refusé',
      ORDER_LINK: 'Lien vers votre commande {{order.number}} chez {{shop.name}}',
    },
    intro: {
      ORDER_CONFIRMED:
        'Merci pour votre commande {{order.number}}. Nous vous préviendrons dès qu’elle sera en route.',
      ORDER_SHIPPED: 'Votre commande {{order.number}} est en route. Ce colis contient :',
      ORDER_CANCELLED:
        'Votre commande {{order.number}} a été annulée. Si vous avez déjà payé, nous vous rembourserons.',
      ORDER_REFUNDED:
        'Nous vous avons remboursé {{refund.amount}} pour votre commande {{order.number}}. Selon le moyen de paiement, le montant peut mettre quelques jours à vous parvenir.',
      RETURN_ACCEPTED: 'Nous avons accepté le retour de ces articles de votre commande {{order.number}} :',
      RETURN_REFUSED:
        'Nous sommes désolés : nous ne pouvons pas accepter le retour de ces articles de votre commande {{order.number}}.',
      ORDER_LINK:
        'Voici le lien vers votre commande {{order.number}} que vous avez demandé. Si vous ne l’avez pas demandé, ignorez ce message.',
    },
    rows: {
      discount: 'Remise',
      shipping: 'Livraison',
      tax: 'Taxes',
      total: 'Total',
      address: 'Adresse de livraison',
      carrier: 'Transporteur',
      trackingNumber: 'Numéro de suivi',
      track: 'Suivre le colis',
      view: 'Voir la commande',
      reason: 'Motif',
    },
  },
  es: {
    greeting: 'Hola, {{customer.name}}:',
    hello: 'Hola:',
    subject: {
      ORDER_CONFIRMED: 'Tu pedido {{order.number}} en {{shop.name}}',
      ORDER_SHIPPED: 'Tu pedido {{order.number}} en {{shop.name}} está en camino',
      ORDER_CANCELLED: 'Tu pedido {{order.number}} en {{shop.name}} ha sido cancelado',
      ORDER_REFUNDED: 'Reembolso de tu pedido {{order.number}} en {{shop.name}}',
      RETURN_ACCEPTED: 'Devolución de tu pedido {{order.number}} en {{shop.name}} aceptada',
      RETURN_REFUSED: 'Devolución de tu pedido {{order.number}} en {{shop.name}} rechazada',
      ORDER_LINK: 'Enlace a tu pedido {{order.number}} en {{shop.name}}',
    },
    intro: {
      ORDER_CONFIRMED: 'Gracias por tu pedido {{order.number}}. Te avisaremos cuando esté en camino.',
      ORDER_SHIPPED: 'Tu pedido {{order.number}} está en camino. Este envío contiene:',
      ORDER_CANCELLED:
        'Tu pedido {{order.number}} ha sido cancelado. Si ya lo has pagado, te devolveremos el importe.',
      ORDER_REFUNDED:
        'Hemos reembolsado {{refund.amount}} de tu pedido {{order.number}}. Según el método de pago, puede tardar unos días en llegar.',
      RETURN_ACCEPTED: 'Hemos aceptado la devolución de estos artículos de tu pedido {{order.number}}:',
      RETURN_REFUSED:
        'Lo sentimos: no podemos aceptar la devolución de estos artículos de tu pedido {{order.number}}.',
      ORDER_LINK:
        'Este es el enlace a tu pedido {{order.number}} que has solicitado. Si no lo has solicitado, puedes ignorar este mensaje.',
    },
    rows: {
      discount: 'Descuento',
      shipping: 'Envío',
      tax: 'Impuestos',
      total: 'Total',
      address: 'Dirección de entrega',
      carrier: 'Transportista',
      trackingNumber: 'Número de seguimiento',
      track: 'Seguir el envío',
      view: 'Ver el pedido',
      reason: 'Motivo',
    },
  },
  it: {
    greeting: 'Ciao {{customer.name}},',
    hello: 'Ciao,',
    subject: {
      ORDER_CONFIRMED: 'Il tuo ordine {{order.number}} da {{shop.name}}',
      ORDER_SHIPPED: 'Il tuo ordine {{order.number}} da {{shop.name}} è in viaggio',
      ORDER_CANCELLED: 'Il tuo ordine {{order.number}} da {{shop.name}} è stato annullato',
      ORDER_REFUNDED: 'Rimborso del tuo ordine {{order.number}} da {{shop.name}}',
      RETURN_ACCEPTED: 'Reso del tuo ordine {{order.number}} da {{shop.name}} accettato',
      RETURN_REFUSED: 'Reso del tuo ordine {{order.number}} da {{shop.name}} rifiutato',
      ORDER_LINK: 'Link al tuo ordine {{order.number}} da {{shop.name}}',
    },
    intro: {
      ORDER_CONFIRMED: 'grazie per il tuo ordine {{order.number}}. Ti avviseremo quando sarà in viaggio.',
      ORDER_SHIPPED: 'il tuo ordine {{order.number}} è in viaggio. Questa spedizione contiene:',
      ORDER_CANCELLED:
        'il tuo ordine {{order.number}} è stato annullato. Se hai già pagato, ti rimborseremo l’importo.',
      ORDER_REFUNDED:
        'abbiamo rimborsato {{refund.amount}} per il tuo ordine {{order.number}}. A seconda del metodo di pagamento, l’accredito può richiedere qualche giorno.',
      RETURN_ACCEPTED: 'abbiamo accettato il reso di questi articoli del tuo ordine {{order.number}}:',
      RETURN_REFUSED:
        'ci dispiace: non possiamo accettare il reso di questi articoli del tuo ordine {{order.number}}.',
      ORDER_LINK:
        'ecco il link al tuo ordine {{order.number}} che hai richiesto. Se non lo hai richiesto, puoi ignorare questa mail.',
    },
    rows: {
      discount: 'Sconto',
      shipping: 'Spedizione',
      tax: 'Imposte',
      total: 'Totale',
      address: 'Indirizzo di consegna',
      carrier: 'Corriere',
      trackingNumber: 'Numero di tracciamento',
      track: 'Segui la spedizione',
      view: 'Vedi l’ordine',
      reason: 'Motivo',
    },
  },
};
