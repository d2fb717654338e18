/** The pages of rows, which the browser loads as one file. */
import { NewRow, RowDetail } from './detail.tsx'
import { ImportPage } from './import/import.tsx'
import { EntityList } from './list.tsx'

export const rowPages = {
  EntityList,
  ImportPage,
  NewRow,
  RowDetail,
}
