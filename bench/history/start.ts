/** The service with two entities that differ in their history alone. */
import { entity, money, text } from '../../src/index.ts'
import { serveEntities } from '../serve-entities.ts'

const fields = { name: text(), description: text({ max: 2000 }).optional(), price: money() }

const kept = entity('kept', { plural: 'keptRows', fields, trash: { days: 30 } })
const unkept = entity('unkept', { plural: 'unkeptRows', fields })

process.exitCode = await serveEntities([kept, unkept])
