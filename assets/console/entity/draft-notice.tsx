/** The notices of a form about a draft from before, and about a row that was deleted meanwhile. */
import { keepDraft } from '../component/draft.ts'
import type { TypedForm } from '../component/form-state.ts'
import { MomentInWords } from '../component/moment-in-words.tsx'
import type { EntityDescription, Values } from '../describe.ts'
import { goTo, hrefOf } from '../router.ts'
import { text } from '../text/text.ts'
import { useDraftKey } from './draft-key.ts'

interface DraftNoticeProps {
  at: string | null
  form: Pick<TypedForm<Values>, 'isChanged' | 'reset' | 'base'>
}

export function DraftNotice({ at, form }: DraftNoticeProps) {
  if (at === null || !form.isChanged) return null
  return (
    <p class="notice warn row" role="status">
      <span>{text.form.drafted}</span> <MomentInWords value={at} />
      <button type="button" class="end" onClick={() => form.reset(form.base)}>
        {text.form.discardDraft}
      </button>
    </p>
  )
}

/** A notice that somebody has deleted the row, with a button that moves the typed values to the form of a new row. */
interface GoneNoticeProps {
  entity: EntityDescription
  form: Pick<TypedForm<Values>, 'values' | 'reset' | 'base'>
}

export function GoneNotice({ entity, form }: GoneNoticeProps) {
  const key = useDraftKey(entity, 'new')
  const again = () => {
    keepDraft(key, form.values, null)
    form.reset(form.base)
    goTo(hrefOf(`/entities/${entity.name}/new`))
  }
  return (
    <p class="notice warn row" role="status">
      <span>{text.form.gone}</span>
      {entity.operations.create !== undefined && (
        <button type="button" class="end" onClick={again}>
          {text.form.createAgain}
        </button>
      )}
    </p>
  )
}
