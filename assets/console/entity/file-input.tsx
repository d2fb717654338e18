/** The input for a file that is dropped, pasted or chosen. It uploads the file; its value is the file's id. */
import { Upload } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../api.ts'
import type { ControlProps } from '../component/field.tsx'
import { Icon } from '../component/icon.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import type { FieldDescription } from '../describe.ts'
import { text } from '../text/text.ts'
import { FileCard, type StoredFile } from './file.tsx'

interface FileInputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
}

export function FileInput({ field, control, value, onChange }: FileInputProps) {
  const [uploaded, setUploaded] = useState<StoredFile | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const [isOver, setOver] = useState(false)
  const { fileTypes } = field
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    if (fileTypes.length > 0 && !fileTypes.includes(file.type))
      return setError(new Error(text.form.wrongType(file.name, fileTypes.join(', '))))
    setBusy(true)
    setError(null)
    try {
      const { body } = await request<StoredFile>('POST', '/api/files', {
        body: file,
        query: { name: file.name },
        headers: { 'content-type': file.type },
      })
      setUploaded(body)
      onChange(body.id)
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  const over = (is: boolean) => (event: DragEvent) => {
    event.preventDefault()
    setOver(is)
  }
  return (
    <div class="file-input">
      {typeof value === 'string' && (
        <div class="row">
          <FileCard key={value} id={value} known={uploaded?.id === value ? uploaded : null} />
          {field.isNullable && (
            <button type="button" onClick={() => onChange(null)}>
              {text.action.remove}
            </button>
          )}
        </div>
      )}
      <label
        class={isOver ? 'drop is-over' : 'drop'}
        aria-busy={isBusy}
        onDragOver={over(true)}
        onDragLeave={over(false)}
        onDrop={(event) => {
          over(false)(event)
          void upload(event.dataTransfer?.files[0])
        }}
      >
        <Icon node={Upload} />
        <span>{isBusy ? text.form.uploading : text.form.drop}</span>
        <span class="soft">{fileTypes.map((type) => type.split('/').at(-1)).join(', ')}</span>
        <input
          {...control}
          class="hidden"
          type="file"
          accept={fileTypes.join(',')}
          disabled={isBusy}
          onChange={(event) => void upload(event.currentTarget.files?.[0])}
          onPaste={(event) => void upload(event.clipboardData?.files[0])}
        />
      </label>
      {error !== null && <ErrorNotice error={error} />}
    </div>
  )
}
