/** The names of tickets in further languages. */
export const ticketLabels = {
  de: {
    one: 'Ticket',
    many: 'Tickets',
    gender: 'n',
    fields: {
      title: 'Betreff',
      customer: 'Kunde',
      team: 'Team',
      state: 'Status',
      cost: 'Kosten',
      screenshot: 'Bildschirmfoto',
    },
    words: { state: { open: 'offen', closed: 'geschlossen' } },
    actions: { close: 'Schließen', reopen: 'Wieder öffnen' },
    sections: { Request: 'Anfrage', Facts: 'Fakten' },
    views: { Open: 'Offen', Board: 'Tafel', Old: 'Liegen geblieben' },
    badges: { waiting: 'Wartet seit einer Woche' },
    texts: {
      'What is asked, and by whom.': 'Was gefragt wird, und von wem.',
      'Open tickets': 'Offene Tickets',
    },
  },
  fr: {
    one: 'ticket',
    many: 'tickets',
    gender: 'm',
    fields: {
      title: 'Objet',
      customer: 'Client',
      team: 'Équipe',
      state: 'Statut',
      cost: 'Coût',
      screenshot: 'Capture d’écran',
    },
    words: { state: { open: 'ouvert', closed: 'fermé' } },
    actions: { close: 'Fermer', reopen: 'Rouvrir' },
    sections: { Request: 'Demande', Facts: 'Informations' },
    views: { Open: 'Ouverts', Board: 'Tableau', Old: 'En souffrance' },
    badges: { waiting: 'En attente depuis une semaine' },
    texts: {
      'What is asked, and by whom.': 'Ce qui est demandé, et par qui.',
      'Open tickets': 'Tickets ouverts',
    },
  },
} as const
