import { it } from 'node:test'
import { onEachDatabase } from '../support/databases.ts'
import { uploadDespiteKills } from './kill.ts'

onEachDatabase('Uploads', (database) => {
  it('are there or not at all, whenever the service is killed', async () => {
    await uploadDespiteKills(database, 8)
  })
})
