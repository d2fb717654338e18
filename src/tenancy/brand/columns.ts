/** The schemas of stored values of logos. The import of an archive validates its rows with them. */
import { Type } from 'typebox'
import type { ColumnSchemas } from '../../core/feature/stored-table.ts'
import { Nullable } from '../../core/schema/schema.ts'
import { Sha256 } from '../../core/schema/stored.ts'
import { imageTypes, maxLogoPixels } from './image.ts'

const pixels = Nullable(Type.Integer({ minimum: 1, maximum: maxLogoPixels }))

export const brandColumns: ColumnSchemas = {
  tenant_logo: {
    theme: Type.Enum(['light', 'dark']),
    type: Type.Enum(imageTypes),
    width: pixels,
    height: pixels,
    sha256: Sha256,
  },
}
