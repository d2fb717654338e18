import { entity, reference, text, user } from '../../src/index.ts'

export const team = entity('team', {
  fields: { name: text() },
  trash: { days: 30 },
  access: { write: 'admin' },
  console: {
    icon: 'headphones',
    tint: 'green',
    group: 'Team',
    related: { teamMembers: { columns: ['member'], create: true }, tickets: { columns: ['title', 'state'] } },
  },
  labels: {
    de: { one: 'Team', many: 'Teams', gender: 'n', fields: { name: 'Name' } },
    fr: {
      one: 'équipe',
      many: 'équipes',
      gender: 'f',
      fields: { name: 'Nom' },
      texts: { Team: 'Équipe' },
    },
  },
})

/** A user who works in a team. */
export const teamMember = entity('teamMember', {
  fields: { team: reference(team), member: user() },
  unique: [['member', 'team']],
  trash: { days: 30 },
  access: { read: 'admin', write: 'admin' },
  console: { icon: 'user', group: 'Team', hidden: 'navigation' },
  labels: {
    de: {
      one: 'Teammitglied',
      many: 'Teammitglieder',
      gender: 'n',
      fields: { team: 'Team', member: 'Mitglied' },
    },
    fr: {
      one: 'membre d’équipe',
      many: 'membres d’équipe',
      gender: 'm',
      fields: { team: 'Équipe', member: 'Membre' },
    },
  },
})
