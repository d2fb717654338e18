import { entity, file, like, reference, text, user } from '../../src/index.ts'

export const project = entity('project', {
  fields: { name: text(), lead: user() },
  access: { rows: ({ row, actor }) => row.lead.is(actor.id) },
})

export const task = entity('task', {
  fields: { project: reference(project), title: text() },
  access: { rows: like('project') },
})

export const remark = entity('remark', {
  fields: { task: reference(task), text: text(), paper: file({ types: ['application/pdf'] }).optional() },
  access: { rows: like('task') },
})
