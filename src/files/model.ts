import { readModel } from '../database/read/read-model.ts'
import { FileRow } from './schema.ts'

/** The file of a field in GraphQL. */
export const fileModel = readModel(FileRow, { table: 'file' })
