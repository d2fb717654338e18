/** Uploads and shows the logos of the tenant, for light and dark pages. */
import { useRef, useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { loadBrand, storedLogo, useBrand } from '../../brand.ts'
import { ErrorNotice } from '../../component/notice.tsx'
import { text } from '../../text/text.ts'

const texts = text.brand
const types = ['image/png', 'image/webp', 'image/svg+xml']
const maxBytes = 200_000
const path = '/api/tenant/brand/logo'

export function Logos() {
  return (
    <section class="card form" aria-label={texts.logos}>
      <h2>{texts.logos}</h2>
      <p class="soft">{texts.logosHint}</p>
      <div class="halves">
        <Logo theme="light" path={path} />
        <Logo theme="dark" path={`${path}/dark`} />
      </div>
    </section>
  )
}

function Logo({ theme, path: own }: { theme: 'light' | 'dark'; path: string }) {
  const brand = useBrand()
  const address = brand === null ? null : storedLogo(brand.logos[theme])
  const [error, setError] = useState<unknown>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const chooser = useRef<HTMLInputElement>(null)
  const change = async (method: 'PUT' | 'DELETE', body?: Blob) => {
    setError(null)
    setRefused(null)
    try {
      await request(method, own, body === undefined ? {} : { body, headers: { 'content-type': body.type } })
      await loadBrand()
    } catch (caught) {
      setError(caught)
    }
  }
  const choose = (file: File | undefined) => {
    if (file === undefined) return
    if (!types.includes(file.type) || file.size > maxBytes) setRefused(texts.logoRefused(file.name))
    else void change('PUT', file)
  }
  return (
    <section
      class="stack"
      aria-label={texts.logoOf[theme]}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        choose(event.dataTransfer?.files[0])
      }}
    >
      <div class={`logo-ground ${theme}`}>
        {address === null ? texts.noLogo : <img src={address} alt={texts.logoOf[theme]} />}
      </div>
      {refused !== null && (
        <p class="notice bad" role="alert">
          {refused}
        </p>
      )}
      {error !== null && <ErrorNotice error={error} />}
      <div class="row">
        <input
          ref={chooser}
          class="hidden"
          type="file"
          tabIndex={-1}
          accept={types.join()}
          aria-label={texts.chooseLogo[theme]}
          onChange={(event) => choose(event.currentTarget.files?.[0])}
        />
        <button type="button" onClick={() => chooser.current?.click()}>
          {texts.chooseLogo[theme]}
        </button>
        {address !== null && (
          <button type="button" class="plain" onClick={() => void change('DELETE')}>
            {text.action.remove}
          </button>
        )}
      </div>
    </section>
  )
}
