import { entity, reference, text, user } from '../../src/index.ts'

export const crew = entity('crew', { fields: { name: text() }, access: { write: 'admin' } })

export const crewMember = entity('crewMember', {
  fields: { crew: reference(crew), member: user() },
  unique: [['member', 'crew']],
  access: { read: 'admin', write: 'admin' },
})

export const shift = entity('shift', {
  fields: { title: text(), crew: reference(crew) },
  access: { rows: ({ row, actor }) => row.crew.in(actor.via(crewMember, 'member', 'crew')) },
})
