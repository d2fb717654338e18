/** The names of orders in further languages. */
import type { LabelsByLanguage } from '../core/language/language.ts'

const question = 'Cancel the order? It cannot be paid afterwards.'

export const orderLabels: LabelsByLanguage = {
  de: {
    one: 'Bestellung',
    many: 'Bestellungen',
    gender: 'f',
    description: 'Was ein Kunde kauft, zu den Preisen dieses Augenblicks.',
    fields: {
      number: 'Nummer',
      customerId: 'Kundennummer',
      status: 'Status',
      currency: 'Währung',
      total: 'Gesamtbetrag',
      items: 'Positionen',
      'items.product': 'Produkt',
      'items.quantity': 'Menge',
      'items.name': 'Name',
      'items.unitPrice': 'Einzelpreis',
      'items.lineTotal': 'Betrag',
    },
    words: { status: { PENDING: 'offen', PAID: 'bezahlt', CANCELLED: 'storniert' } },
    actions: { pay: 'Als bezahlt markieren', cancel: 'Stornieren' },
    sections: { Items: 'Positionen', Order: 'Bestellung' },
    views: { Pending: 'Offen', Paid: 'Bezahlt' },
    texts: {
      Sales: 'Verkauf',
      'Sequential number of the order within the tenant': 'Fortlaufende Nummer innerhalb des Mandanten',
      'The id of the customer in your application': 'Die Kennung des Kunden in Ihrer Anwendung',
      'Pending until the order is paid or cancelled, and then final':
        'Offen, bis die Bestellung bezahlt oder storniert ist, und dann endgültig',
      'A code of ISO 4217, such as `EUR`. Prices are not converted':
        'Ein Code nach ISO 4217 wie `EUR`. Preise werden nicht umgerechnet',
      'The sum of the items, exact': 'Die Summe der Positionen, genau',
      'The product, which may have been changed or deleted since':
        'Das Produkt, das seither geändert oder gelöscht sein kann',
      'As of the time of the order': 'Vom Zeitpunkt der Bestellung',
      'The number of pieces': 'Die Anzahl der Stücke',
      'The quantity times the unit price, exact': 'Die Menge mal den Einzelpreis, genau',
      [question]: 'Möchten Sie die Bestellung stornieren? Sie kann danach nicht mehr bezahlt werden.',
    },
  },
  fr: {
    one: 'commande',
    many: 'commandes',
    gender: 'f',
    description: 'Ce qu’un client achète, aux prix de ce moment.',
    fields: {
      number: 'Numéro',
      customerId: 'Numéro de client',
      status: 'Statut',
      currency: 'Devise',
      total: 'Total',
      items: 'Lignes',
      'items.product': 'Produit',
      'items.quantity': 'Quantité',
      'items.name': 'Nom',
      'items.unitPrice': 'Prix unitaire',
      'items.lineTotal': 'Montant',
    },
    words: { status: { PENDING: 'en attente', PAID: 'payée', CANCELLED: 'annulée' } },
    actions: { pay: 'Marquer comme payée', cancel: 'Annuler' },
    sections: { Items: 'Lignes', Order: 'Commande' },
    views: { Pending: 'En attente', Paid: 'Payées' },
    texts: {
      Sales: 'Ventes',
      'Sequential number of the order within the tenant': 'Numéro d’ordre dans le locataire',
      'The id of the customer in your application': 'L’identifiant du client dans votre application',
      'Pending until the order is paid or cancelled, and then final':
        'En attente jusqu’au paiement ou à l’annulation, puis définitif',
      'A code of ISO 4217, such as `EUR`. Prices are not converted':
        'Un code ISO 4217 comme `EUR`. Les prix ne sont pas convertis',
      'The sum of the items, exact': 'La somme des lignes, exacte',
      'The product, which may have been changed or deleted since':
        'Le produit, qui a pu être modifié ou supprimé depuis',
      'As of the time of the order': 'Au moment de la commande',
      'The number of pieces': 'Le nombre de pièces',
      'The quantity times the unit price, exact': 'La quantité multipliée par le prix unitaire, exacte',
      [question]: 'Voulez-vous annuler la commande ? Elle ne pourra plus être payée.',
    },
  },
}
