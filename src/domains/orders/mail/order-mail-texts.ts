/** Texts of order mails in all languages. The type requires every text in every language. */
import type { SupportedLanguage } from '../../../lib/text/locales.ts';

/** Occasions for a mail to the customer. */
export const orderMailKinds = [
  'confirmed',
  'shipped',
  'cancelled',
  'refunded',
  'returnAccepted',
  'returnRefused',
  'orderLink',
] as const;
export type OrderMailKind = (typeof orderMailKinds)[number];

interface TextValues {
  number: number;
  business: string;
  /** Refunded amount, formatted in the locale. */
  amount: string;
}

interface OrderTexts {
  greeting(name: string): string;
  /** Greeting when the name is unknown. */
  hello: string;
  subject: Record<OrderMailKind, (values: TextValues) => string>;
  intro: Record<OrderMailKind, (values: TextValues) => string>;
  rows: Record<
    'discount' | 'shipping' | 'tax' | 'total' | 'address' | 'carrier' | 'trackingNumber' | 'link',
    string
  >;
}

export const orderMailTexts: Readonly<Record<SupportedLanguage, OrderTexts>> = {
  en: {
    greeting: (name) => `Dear ${name},`,
    hello: 'Hello,',
    subject: {
      confirmed: ({ number, business }) => `Your order ${number} at ${business}`,
      shipped: ({ number, business }) => `Your order ${number} at ${business} is on its way`,
      cancelled: ({ number, business }) => `Your order ${number} at ${business} was cancelled`,
      refunded: ({ number, business }) => `Refund for your order ${number} at ${business}`,
      returnAccepted: ({ number, business }) => `Return of your order ${number} at ${business} accepted`,
      returnRefused: ({ number, business }) => `Return of your order ${number} at ${business} not accepted`,
      orderLink: ({ number, business }) => `Link to your order ${number} at ${business}`,
    },
    intro: {
      confirmed: ({ number }) => `thank you for your order ${number}.`,
      shipped: ({ number }) => `your order ${number} is on its way to you.`,
      cancelled: ({ number }) => `your order ${number} was cancelled.`,
      refunded: ({ number, amount }) => `we have sent back ${amount} for your order ${number}.`,
      returnAccepted: ({ number }) => `we accept the return of these parts of your order ${number}.`,
      returnRefused: ({ number }) => `we cannot accept the return of these parts of your order ${number}.`,
      orderLink: ({ number }) =>
        `here is the link to your order ${number} that you requested. If you did not request it, ignore this mail.`,
    },
    rows: {
      discount: 'Discount',
      shipping: 'Shipping',
      tax: 'Tax',
      total: 'Total',
      address: 'Delivery address',
      carrier: 'Carrier',
      trackingNumber: 'Tracking number',
      link: 'Your order, without signing in',
    },
  },
  de: {
    greeting: (name) => `Guten Tag ${name},`,
    hello: 'Guten Tag,',
    subject: {
      confirmed: ({ number, business }) => `Ihre Bestellung ${number} bei ${business}`,
      shipped: ({ number, business }) => `Ihre Bestellung ${number} bei ${business} ist unterwegs`,
      cancelled: ({ number, business }) => `Ihre Bestellung ${number} bei ${business} wurde storniert`,
      refunded: ({ number, business }) => `Erstattung zu Ihrer Bestellung ${number} bei ${business}`,
      returnAccepted: ({ number, business }) =>
        `Rückgabe zu Ihrer Bestellung ${number} bei ${business} angenommen`,
      returnRefused: ({ number, business }) =>
        `Rückgabe zu Ihrer Bestellung ${number} bei ${business} abgelehnt`,
      orderLink: ({ number, business }) => `Link zu Ihrer Bestellung ${number} bei ${business}`,
    },
    intro: {
      confirmed: ({ number }) => `vielen Dank für Ihre Bestellung ${number}.`,
      shipped: ({ number }) => `Ihre Bestellung ${number} ist auf dem Weg zu Ihnen.`,
      cancelled: ({ number }) => `Ihre Bestellung ${number} wurde storniert.`,
      refunded: ({ number, amount }) => `zu Ihrer Bestellung ${number} haben wir ${amount} erstattet.`,
      returnAccepted: ({ number }) => `wir nehmen diese Teile Ihrer Bestellung ${number} zurück.`,
      returnRefused: ({ number }) => `wir können diese Teile Ihrer Bestellung ${number} nicht zurücknehmen.`,
      orderLink: ({ number }) =>
        `hier ist der angeforderte Link zu Ihrer Bestellung ${number}. Falls Sie ihn nicht angefordert haben, ignorieren Sie diese Mail.`,
    },
    rows: {
      discount: 'Rabatt',
      shipping: 'Versand',
      tax: 'Steuer',
      total: 'Gesamt',
      address: 'Lieferadresse',
      carrier: 'Versanddienst',
      trackingNumber: 'Sendungsnummer',
      link: 'Ihre Bestellung, ohne Anmeldung',
    },
  },
  fr: {
    greeting: (name) => `Bonjour ${name},`,
    hello: 'Bonjour,',
    subject: {
      confirmed: ({ number, business }) => `Votre commande ${number} chez ${business}`,
      shipped: ({ number, business }) => `Votre commande ${number} chez ${business} est en route`,
      cancelled: ({ number, business }) => `Votre commande ${number} chez ${business} a été annulée`,
      refunded: ({ number, business }) => `Remboursement de votre commande ${number} chez ${business}`,
      returnAccepted: ({ number, business }) => `Retour de votre commande ${number} chez ${business} accepté`,
      returnRefused: ({ number, business }) => `Retour de votre commande ${number} chez ${business} refusé`,
      orderLink: ({ number, business }) => `Lien vers votre commande ${number} chez ${business}`,
    },
    intro: {
      confirmed: ({ number }) => `merci pour votre commande ${number}.`,
      shipped: ({ number }) => `votre commande ${number} est en route.`,
      cancelled: ({ number }) => `votre commande ${number} a été annulée.`,
      refunded: ({ number, amount }) => `nous avons remboursé ${amount} pour votre commande ${number}.`,
      returnAccepted: ({ number }) => `nous acceptons le retour de ces articles de votre commande ${number}.`,
      returnRefused: ({ number }) =>
        `nous ne pouvons pas accepter le retour de ces articles de votre commande ${number}.`,
      orderLink: ({ number }) =>
        `voici le lien demandé vers votre commande ${number}. Si vous ne l'avez pas demandé, ignorez ce message.`,
    },
    rows: {
      discount: 'Remise',
      shipping: 'Livraison',
      tax: 'Taxes',
      total: 'Total',
      address: 'Adresse de livraison',
      carrier: 'Transporteur',
      trackingNumber: 'Numéro de suivi',
      link: 'Votre commande, sans vous connecter',
    },
  },
  es: {
    greeting: (name) => `Hola, ${name}:`,
    hello: 'Hola:',
    subject: {
      confirmed: ({ number, business }) => `Tu pedido ${number} en ${business}`,
      shipped: ({ number, business }) => `Tu pedido ${number} en ${business} está en camino`,
      cancelled: ({ number, business }) => `Tu pedido ${number} en ${business} ha sido cancelado`,
      refunded: ({ number, business }) => `Reembolso de tu pedido ${number} en ${business}`,
      returnAccepted: ({ number, business }) => `Devolución de tu pedido ${number} en ${business} aceptada`,
      returnRefused: ({ number, business }) => `Devolución de tu pedido ${number} en ${business} rechazada`,
      orderLink: ({ number, business }) => `Enlace a tu pedido ${number} en ${business}`,
    },
    intro: {
      confirmed: ({ number }) => `gracias por tu pedido ${number}.`,
      shipped: ({ number }) => `tu pedido ${number} está en camino.`,
      cancelled: ({ number }) => `tu pedido ${number} ha sido cancelado.`,
      refunded: ({ number, amount }) => `hemos reembolsado ${amount} de tu pedido ${number}.`,
      returnAccepted: ({ number }) => `aceptamos la devolución de estos artículos de tu pedido ${number}.`,
      returnRefused: ({ number }) =>
        `no podemos aceptar la devolución de estos artículos de tu pedido ${number}.`,
      orderLink: ({ number }) =>
        `este es el enlace solicitado a tu pedido ${number}. Si no lo has solicitado, ignora este mensaje.`,
    },
    rows: {
      discount: 'Descuento',
      shipping: 'Envío',
      tax: 'Impuestos',
      total: 'Total',
      address: 'Dirección de entrega',
      carrier: 'Transportista',
      trackingNumber: 'Número de seguimiento',
      link: 'Tu pedido, sin iniciar sesión',
    },
  },
  it: {
    greeting: (name) => `Ciao ${name},`,
    hello: 'Ciao,',
    subject: {
      confirmed: ({ number, business }) => `Il tuo ordine ${number} da ${business}`,
      shipped: ({ number, business }) => `Il tuo ordine ${number} da ${business} è in viaggio`,
      cancelled: ({ number, business }) => `Il tuo ordine ${number} da ${business} è stato annullato`,
      refunded: ({ number, business }) => `Rimborso del tuo ordine ${number} da ${business}`,
      returnAccepted: ({ number, business }) => `Reso del tuo ordine ${number} da ${business} accettato`,
      returnRefused: ({ number, business }) => `Reso del tuo ordine ${number} da ${business} rifiutato`,
      orderLink: ({ number, business }) => `Link al tuo ordine ${number} da ${business}`,
    },
    intro: {
      confirmed: ({ number }) => `grazie per il tuo ordine ${number}.`,
      shipped: ({ number }) => `il tuo ordine ${number} è in viaggio.`,
      cancelled: ({ number }) => `il tuo ordine ${number} è stato annullato.`,
      refunded: ({ number, amount }) => `abbiamo rimborsato ${amount} per il tuo ordine ${number}.`,
      returnAccepted: ({ number }) => `accettiamo il reso di questi articoli del tuo ordine ${number}.`,
      returnRefused: ({ number }) =>
        `non possiamo accettare il reso di questi articoli del tuo ordine ${number}.`,
      orderLink: ({ number }) =>
        `ecco il link richiesto al tuo ordine ${number}. Se non lo hai richiesto, ignora questa mail.`,
    },
    rows: {
      discount: 'Sconto',
      shipping: 'Spedizione',
      tax: 'Imposte',
      total: 'Totale',
      address: 'Indirizzo di consegna',
      carrier: 'Corriere',
      trackingNumber: 'Numero di tracciamento',
      link: 'Il tuo ordine, senza accedere',
    },
  },
};
