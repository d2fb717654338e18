/** Rows with a rule, and the same rows without one, on the package as it is installed. */
import type * as Tenantry from '../../src/index.ts'

const bundle = new URL('../../dist/index.js', import.meta.url).href
const tenantry: typeof Tenantry = await import(bundle)
const { any, defineConfig, entity, like, listOf, reference, text } = tenantry

/** For each reach, a member that callers with one value name and one for those with many. */
const names = ['few1', 'few32', 'some1', 'some32', 'every1', 'every32'] as const
const fields = {
  title: text(),
  few1: text(),
  few32: text(),
  some1: text(),
  some32: text(),
  every1: text(),
  every32: text(),
}

const guarded = entity('guarded', {
  plural: 'guardedRows',
  fields,
  sort: names,
  access: { rows: ({ row, actor }) => any(...names.map((name) => row[name].in(actor.claims(name)))) },
})
const open = entity('open', { plural: 'openRows', fields, sort: names })

const follower = entity('follower', {
  fields: { title: text(), guarded: reference(guarded) },
  access: { rows: like('guarded') },
})
const free = entity('free', { plural: 'freeRows', fields: { title: text(), open: reference(open) } })

export default defineConfig({
  features: [guarded, open, follower, free],
  attributes: Object.fromEntries(names.map((name) => [name, listOf(text())])),
})
