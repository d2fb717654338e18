/** The names of products in further languages. */
export const productLabels = {
  de: {
    one: 'Produkt',
    many: 'Produkte',
    gender: 'n',
    description: 'Ein Produkt eines Mandanten.',
    fields: {
      name: 'Name',
      description: 'Beschreibung',
      price: 'Preis',
      isActive: 'Aktiv',
      category: 'Kategorie',
    },
    sections: { Product: 'Produkt', Sale: 'Verkauf' },
    views: { Active: 'Aktiv', Inactive: 'Inaktiv' },
    badges: { inactive: 'Inaktiv' },
    texts: {
      Catalogue: 'Katalog',
      'Display name. Searches match parts of it': 'Anzeigename. Suchen finden auch Teile davon',
      'Display text': 'Anzeigetext',
      '`false` removes the product from the list of active products':
        '`false` nimmt das Produkt aus der Liste der aktiven Produkte',
      'The category of the product': 'Die Kategorie des Produkts',
    },
  },
  fr: {
    one: 'produit',
    many: 'produits',
    gender: 'm',
    description: 'Un produit d’un locataire.',
    fields: {
      name: 'Nom',
      description: 'Description',
      price: 'Prix',
      isActive: 'Actif',
      category: 'Catégorie',
    },
    sections: { Product: 'Produit', Sale: 'Vente' },
    views: { Active: 'Actifs', Inactive: 'Inactifs' },
    badges: { inactive: 'Inactif' },
    texts: {
      Catalogue: 'Catalogue',
      'Display name. Searches match parts of it': 'Nom affiché. Les recherches en trouvent aussi des parties',
      'Display text': 'Texte affiché',
      '`false` removes the product from the list of active products':
        '`false` retire le produit de la liste des produits actifs',
      'The category of the product': 'La catégorie du produit',
    },
  },
} as const
