/** The names of orders in further languages. */
import type { LabelsByLanguage } from '../core/language/language.ts'

const question = 'Cancel the order? It cannot be paid afterwards.'

export const orderLabels: LabelsByLanguage = {
  de: {
    one: 'Bestellung',
    many: 'Bestellungen',
    gender: 'f',
    description: 'Eine Bestellung eines Mandanten.',
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
      [question]: 'Möchten Sie die Bestellung stornieren? Sie kann danach nicht mehr bezahlt werden.',
    },
  },
  fr: {
    one: 'commande',
    many: 'commandes',
    gender: 'f',
    description: 'Une commande d’un locataire.',
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
      [question]: 'Voulez-vous annuler la commande ? Elle ne pourra plus être payée.',
    },
  },
}
