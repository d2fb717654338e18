/** Deletes a row: with a trash at once and with a way back, without one after a question that names what follows. */
import { request } from '../api.ts'
import { useApp } from '../app-context.ts'
import { confirmed } from '../component/confirm-dialog.tsx'
import { toast, toastError } from '../component/toast.tsx'
import { type EntityDescription, isRestorable, type Row, titleOf } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { countReferring } from './relations.ts'
import { deleteRow } from './rows.ts'

/** What is longer is not typed again. */
const maxTyped = 40

/** @returns deletes the row, and leads to the list */
export function useDeletion(entity: EntityDescription, row: Row): () => Promise<void> {
  const { entities } = useApp()
  const list = hrefOf(`/entities/${entity.name}`)
  const title = titleOf(entity, row)
  const isKept = isRestorable(entity)
  return async () => {
    try {
      if (!isKept) {
        const referring = await countReferring(entities, entity, row.id)
        const isTyped = title !== row.id && title.length <= maxTyped
        const question = {
          title: text.form.confirmDelete(title),
          ...(referring !== '' && { detail: text.record.referring(referring) }),
          verb: text.action.delete,
          kind: 'danger' as const,
          ...(isTyped && { typed: title }),
        }
        if (!(await confirmed(question))) return
      }
      await deleteRow(entity, row.id)
      goTo(list)
      if (isKept)
        toast(text.record.deleted(title, entity.trashDays ?? 0), {
          undo: async () => {
            await restoreRow(entity, row.id)
            goTo(`${list}/${row.id}`)
          },
        })
      else toast(text.record.deletedForGood(title))
    } catch (error) {
      toastError(error)
    }
  }
}

/** From the trash. @throws ApiError */
export async function restoreRow({ operations }: EntityDescription, id: string): Promise<void> {
  await request('POST', `${operations.list?.path}/${id}/restore`, { body: {} })
}
