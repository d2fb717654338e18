import { useState } from 'preact/hooks'
import { ErrorNotice } from '../component/notice.tsx'
import { Secret } from '../component/secret.tsx'
import { currentToken } from '../session.ts'
import { text } from '../text/text.ts'

const { developers } = text

const links: readonly [href: string, label: string][] = [
  ['/graphql/ui', developers.graphiql],
  ['/api-docs', developers.apiDocs],
  ['/swagger', developers.swagger],
  ['/swagger/v1/swagger.json', developers.openApi],
  ['/health', developers.health],
  ['/metrics', developers.metrics],
]

export function DevelopersPage() {
  const [token, setToken] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const show = () => {
    currentToken().then(setToken, setError)
  }
  return (
    <div class="stack">
      <h1>{developers.title}</h1>
      <p>{developers.text}</p>
      <ul class="card">
        {links.map(([href, label]) => (
          <li key={href}>
            <a href={href} target="_blank" rel="noreferrer">
              {label}
            </a>
          </li>
        ))}
      </ul>
      <section class="card stack">
        <h2>{developers.token}</h2>
        <p class="soft">{developers.tokenHint}</p>
        {error !== null && <ErrorNotice error={error} />}
        {token === null ? (
          <div class="row">
            <button type="button" onClick={show}>
              {developers.show}
            </button>
          </div>
        ) : (
          <Secret value={token} />
        )}
      </section>
    </div>
  )
}
