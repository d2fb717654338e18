/** The service with two entities that differ in their history alone. */
import { creationOf } from '../../src/database/table.ts'
import { entity, type Feature, money, runCommandLine, text } from '../../src/index.ts'

const fields = { name: text(), description: text({ max: 2000 }).optional(), price: money() }

const kept = entity('kept', { plural: 'keptRows', fields, trash: { days: 30 } })
const unkept = entity('unkept', { plural: 'unkeptRows', fields })

const features = [kept, unkept].map(
  (each): Feature => ({
    ...each,
    migrations: [
      {
        name: `${each.name}-0001`,
        database: 'tenant',
        statements: (types, dialect) => each.tables.flatMap((table) => creationOf(table, types, dialect)),
      },
    ],
  }),
)

process.exitCode = await runCommandLine(process.argv.slice(2), { features })
