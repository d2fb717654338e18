/** The type of what a subscription sends for a deleted row: the id, which is in the event. */
import { Type } from 'typebox'
import { Uuid } from '../../../core/schema/schema.ts'
import { readModel } from '../../../database/read/read-model.ts'

const DeletedRow = Type.Object({ id: Uuid }, { $id: 'DeletedRow', description: 'A row that was deleted.' })

export const deletedRow = readModel(DeletedRow, { table: 'event' })
