/** Uploads a file, and keeps its id. */
import { useState } from 'preact/hooks'
import { request } from '../api.ts'
import type { ControlProps } from '../component/field.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import type { FieldDescription } from '../describe.ts'
import { text } from '../text/text.ts'

interface StoredFile {
  id: string
  name: string
  type: string
}

interface FileInputProps {
  field: FieldDescription
  control: ControlProps
  value: unknown
  onChange: (id: string | null) => void
}

export function FileInput({ field, control, value, onChange }: FileInputProps) {
  const [uploaded, setUploaded] = useState<{ file: StoredFile; preview: string | null } | null>(null)
  const [error, setError] = useState<unknown>(null)
  const [isBusy, setBusy] = useState(false)
  const upload = async (file: File | undefined) => {
    if (file === undefined) return
    setBusy(true)
    setError(null)
    try {
      const { body } = await request<StoredFile>('POST', '/api/files', {
        body: file,
        query: { name: file.name },
        headers: { 'content-type': file.type },
      })
      const preview = file.type.startsWith('image/') ? URL.createObjectURL(file) : null
      setUploaded({ file: body, preview })
      onChange(body.id)
    } catch (caught) {
      setError(caught)
    }
    setBusy(false)
  }
  return (
    <div class="stack">
      <input
        {...control}
        type="file"
        accept={field.fileTypes.join(',')}
        disabled={isBusy}
        onChange={(event) => void upload(event.currentTarget.files?.[0])}
      />
      {error !== null && <ErrorNotice error={error} />}
      {uploaded?.preview != null && <img src={uploaded.preview} alt={uploaded.file.name} height={120} />}
      {typeof value === 'string' && (
        <div class="row">
          <code>{uploaded?.file.id === value ? uploaded.file.name : value}</code>
          {field.isNullable && (
            <button type="button" onClick={() => onChange(null)}>
              {text.form.clear}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
