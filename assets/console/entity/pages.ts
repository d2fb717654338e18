/** The pages of rows, which the browser loads as one file. */
import { NewRow, RowDetail } from './detail.tsx'
import { EntityList } from './list.tsx'

export const rowPages = {
  EntityList,
  NewRow,
  RowDetail,
}
