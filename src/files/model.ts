import { readModel } from '../database/read/read-model.ts'
import { FileRow } from './schema.ts'

/** The GraphQL type of a field that names a file. */
export const fileModel = readModel(FileRow, { table: 'file' })
