/** The pages for developers: the overview with an access token, GraphiQL, and the API reference. */
import { ChevronRight, SquareTerminal } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../component/icon.tsx'
import { ErrorNotice } from '../component/notice.tsx'
import { PageHead } from '../component/page-head.tsx'
import { Secret } from '../component/secret.tsx'
import { hrefOf, usePlace } from '../router.ts'
import { serviceAddress } from '../service.ts'
import { currentToken } from '../session.ts'
import { useTitle } from '../shell/title.ts'
import { text } from '../text/text.ts'

const { developers } = text

interface FramedPage {
  name: string
  address: string
  label: string
}

/** Pages of the service that are shown in a frame of this page. */
const framedPages: readonly FramedPage[] = [
  { name: 'graphiql', address: serviceAddress('/graphql/ui'), label: developers.graphiql },
  { name: 'api-docs', address: serviceAddress('/api-docs'), label: developers.apiDocs },
  { name: 'swagger', address: serviceAddress('/swagger'), label: developers.swagger },
]

const links: readonly [href: string, label: string][] = [
  [serviceAddress('/swagger/v1/swagger.json'), developers.openApi],
  [serviceAddress('/health'), developers.health],
  [serviceAddress('/metrics'), developers.metrics],
]

export default function DevelopersPage() {
  const { path } = usePlace()
  const framed = framedPages.find(({ name }) => path === `/developers/${name}`)
  return framed === undefined ? <Overview /> : <Framed key={framed.name} page={framed} />
}

function Overview() {
  return (
    <div class="stack">
      <PageHead icon={SquareTerminal} title={developers.title} subtitle={developers.text} />
      <section class="card lines">
        <ul>
          {framedPages.map(({ name, label }) => (
            <li key={name}>
              <a href={hrefOf(`/developers/${name}`)}>
                {label}
                <Icon node={ChevronRight} class="end" />
              </a>
            </li>
          ))}
          {links.map(([href, label]) => (
            <li key={href}>
              <a href={href} target="_blank" rel="noreferrer">
                {label}
              </a>
            </li>
          ))}
        </ul>
      </section>
      <AccessToken />
    </div>
  )
}

function AccessToken() {
  const [token, setToken] = useState<string | null>(null)
  const [error, setError] = useState<unknown>(null)
  const show = () => {
    currentToken().then(setToken, setError)
  }
  return (
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
  )
}

function Framed({ page: { address, label } }: { page: FramedPage }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useTitle(label)
  useEffect(() => handTokens(frame), [])
  return (
    <div class="framed">
      <PageHead title={label}>
        <a class="button" href={address} target="_blank" rel="noreferrer">
          {developers.ownTab}
        </a>
      </PageHead>
      <iframe ref={frame} src={address} title={label} onLoad={() => void handToken(frame.current)} />
    </div>
  )
}

const renewMs = 60_000

/** Gives the access token to the page in the frame when that page asks, and again whenever the token is renewed. */
function handTokens(frame: { readonly current: HTMLIFrameElement | null }): () => void {
  const answer = ({ origin, source, data }: MessageEvent) => {
    const isAsked = source === frame.current?.contentWindow && data?.type === 'tenantry.token'
    if (origin === location.origin && isAsked) void handToken(frame.current)
  }
  addEventListener('message', answer)
  const timer = setInterval(() => void handToken(frame.current), renewMs)
  return () => {
    removeEventListener('message', answer)
    clearInterval(timer)
  }
}

async function handToken(frame: HTMLIFrameElement | null): Promise<void> {
  const accessToken = await currentToken().catch(() => null)
  frame?.contentWindow?.postMessage({ type: 'tenantry.token', accessToken }, location.origin)
}
