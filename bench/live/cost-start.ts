/** The service with two entities that differ only in that one of them is `live`: with the members of a product. */
import { boolean, entity, money, text } from '../../src/index.ts'
import { serveEntities } from '../serve-entities.ts'

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

process.exitCode = await serveEntities([followed, unfollowed])
