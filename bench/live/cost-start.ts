/** The service with two entities that differ only in that one of them is `live`: with the members of a product. */
import { creationOf } from '../../src/database/table.ts'
import { boolean, entity, type Feature, money, runCommandLine, text } from '../../src/index.ts'

const options = {
  fields: {
    name: text(),
    description: text({ min: 0, max: 2000 }).optional(),
    price: money(),
    isActive: boolean().default(true),
  },
  sort: ['createdAt', 'price', 'name'],
  search: ['name'],
  trash: { days: 30 },
  audit: false,
} as const

const followed = entity('followed', { ...options, plural: 'followedRows', live: true })
const unfollowed = entity('unfollowed', { ...options, plural: 'unfollowedRows' })

const features = [followed, unfollowed].map(
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
