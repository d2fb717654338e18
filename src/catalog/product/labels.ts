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
      'What the product is, in more words': 'Was das Produkt ist, ausführlicher',
      'Whether the list of active products has it': 'Ob die Liste der aktiven Produkte es enthält',
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
      'What the product is, in more words': 'Ce qu’est le produit, plus en détail',
      'Whether the list of active products has it': 'Si la liste des produits actifs le contient',
      'The category of the product': 'La catégorie du produit',
    },
  },
} as const
