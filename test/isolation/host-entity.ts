/** An entity of an application whose rows only the host reads. */
import { entity, text } from '../../src/index.ts'
import { migrated } from '../entity/migrated.ts'

export const hostEntity = migrated([
  entity('site', {
    fields: { name: text() },
    access: { read: 'host', write: 'host' },
    trash: { days: 30 },
  }),
])
