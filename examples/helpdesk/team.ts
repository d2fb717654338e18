import { entity, reference, text, user } from '../../src/index.ts'

export const team = entity('team', {
  fields: { name: text() },
  trash: { days: 30 },
  access: { write: 'admin' },
})

/** Who works in which team. */
export const teamMember = entity('teamMember', {
  fields: { team: reference(team), member: user() },
  unique: [['member', 'team']],
  trash: { days: 30 },
  access: { read: 'admin', write: 'admin' },
})
