import { Type } from 'typebox'
import type { ColumnSchemas } from '../core/feature/stored-table.ts'
import { Count, Sha256, StoredId } from '../core/schema/stored.ts'
import { fileTypes } from './content/type.ts'
import { FileRow } from './schema.ts'

const { name, size } = FileRow.properties

export const fileColumns: ColumnSchemas = {
  file: { name, type: Type.Enum(Object.keys(fileTypes)), size, sha256: Sha256, uploaded_by: StoredId },
  file_usage: { bytes: Count },
}
