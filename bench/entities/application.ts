/** An application of many entities, on the package as it is installed. `ENTITIES` is their number. */
import type * as Tenantry from '../../src/index.ts'

const bundle = new URL('../../dist/index.js', import.meta.url).href
const tenantry: typeof Tenantry = await import(bundle)
const { date, entity, integer, many, money, oneOf, reference, sequence, text } = tenantry
const { defineConfig, sumOf } = tenantry

const count = Number(process.env['ENTITIES'] ?? 0)

const owner = entity('owner', { fields: { name: text({ ignoreCase: true }) }, unique: [['name']] })

/** Like an invoice: of every second one the rows have a list. */
function document(index: number) {
  const options = {
    search: ['title'],
    sort: ['createdAt', 'dueOn'],
    actions: { close: { from: { status: 'open' }, to: { status: 'closed' } } },
  } as const
  const fields = {
    number: sequence(),
    owner: reference(owner),
    title: text(),
    dueOn: date(),
    isUrgent: tenantry.boolean().default(false),
    status: oneOf('open', 'closed').default('open').readOnly(),
    note: text({ max: 2000 }).optional(),
  }
  if (index % 2 === 0) return entity(`document${index}`, { ...options, fields })
  const lines = many({ label: text(), quantity: integer({ min: 1 }), price: money() })
  return entity(`document${index}`, {
    ...options,
    fields: { ...fields, lines, total: money().computed() },
    compute: { total: (row) => sumOf(row.lines.map(({ price }) => price)) },
  })
}

const documents = Array.from({ length: count - 1 }, (_each, index) => document(index))

export default defineConfig({ features: [owner, ...documents] })
