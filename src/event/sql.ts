import type { TenantData } from '../database/data.ts'
import { prepare } from '../database/prepared.ts'

interface NewEvent {
  id: string
  type: string
  data: string
  created_at: string
  hops: number
}

const insert = prepare((tables, row: NewEvent) =>
  tables
    .insertInto('event')
    .values({ id: row.id, type: row.type, data: row.data, created_at: row.created_at, hops: row.hops }),
)

export async function insertEvent(data: TenantData, event: NewEvent): Promise<void> {
  await data.change(insert, event)
}
