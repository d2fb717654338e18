import { entity, text } from 'tenantry'

/** Rows that each tenant has of its own: a table, routes, GraphQL fields, events and an audit follow from this. */
export const note = entity('note', {
  fields: { title: text(), body: text({ max: 10_000 }).optional() },
  search: ['title'],
  console: { icon: 'file-text', tint: 'amber', widgets: { body: 'markdown' } },
})
