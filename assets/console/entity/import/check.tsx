/** Lets the service check the rows of a file before they are created. */
import { useState } from 'preact/hooks'
import { ErrorNotice } from '../../component/notice.tsx'
import type { EntityDescription } from '../../describe.ts'
import { text } from '../../text/text.ts'
import { createRows } from './create-rows.ts'
import type { Prepared } from './prepare.ts'
import { Refusals } from './refusals.tsx'
import type { Refusal } from './refused-lines.ts'

const { importer } = text

interface CheckProps {
  entity: EntityDescription
  prepared: Prepared
  separator: string
  isBusy: boolean
  onAccept: (prepared: Prepared) => void
}

interface Checked {
  of: Prepared
  refused?: readonly Refusal[]
  error?: unknown
}

export function Check({ entity, prepared, separator, isBusy, onAccept }: CheckProps) {
  const [found, setFound] = useState<Checked | null>(null)
  const [isChecking, setChecking] = useState(false)
  // If the file is read in another way, it has to be checked again.
  const { refused, error } = found?.of === prepared ? found : {}
  const { rows, columns } = prepared
  const isChecked = refused !== undefined || entity.hasBulk !== true
  const check = async () => {
    setChecking(true)
    const result = await createRows(entity, rows, { isTrial: true }).then(
      (faulty) => ({ of: prepared, refused: faulty }),
      (caught: unknown) => ({ of: prepared, error: caught }),
    )
    setFound(result)
    setChecking(false)
  }
  return (
    <>
      {error !== undefined && <ErrorNotice error={error} />}
      {refused !== undefined && (
        <>
          <p class="notice" role="status">
            {importer.checked(rows.length - refused.length, refused.length)}
          </p>
          <Refusals {...{ columns, refused, separator }} name={`${entity.plural}-refused.csv`} />
        </>
      )}
      <div class="row">
        {entity.hasBulk === true && (
          <button
            type="button"
            class={isChecked ? '' : 'main'}
            disabled={isBusy || isChecking}
            onClick={() => void check()}
          >
            {importer.check}
          </button>
        )}
        <button
          type="button"
          class={isChecked ? 'main' : ''}
          disabled={isBusy || isChecking}
          onClick={() => onAccept(prepared)}
        >
          {importer.start(rows.length)}
        </button>
      </div>
    </>
  )
}
