/** The steps to set up the service. Its state ticks them; the list goes when all are done or the user hides it. */
import { Circle, CircleCheck } from 'lucide'
import { useApp } from '../../app-context.ts'
import { Icon } from '../../component/icon.tsx'
import { usePreference } from '../../preference.ts'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import type { HomeData } from './home-data.ts'

const places: Readonly<Record<string, string>> = {
  secondUser: '/invitations?new',
  secondFactor: '/account',
  webhookDelivered: '/subscriptions',
  apiKeyUsed: '/api-keys',
  brandSet: '/settings',
  backupMade: '/operations',
  mailSent: '/mails',
  secondAdministrator: '/users',
}
const hiding = 'home.hidesSetUp'

/** @param steps `null` while they are loaded: room for the usual six is reserved */
export function SetUp({ steps }: { steps: HomeData['steps'] | null }) {
  const { user, entities } = useApp()
  const [isHidden, hide] = usePreference(user.id, hiding)
  if (isHidden === true) return null
  if (steps === null) return <div class="card set-up-place" aria-hidden="true" />
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  const first = entities.find(({ operations }) => operations.create !== undefined)
  const placeOf = (kind: string) => {
    if (kind === 'firstRow') return first === undefined ? undefined : `/entities/${first.name}/new`
    return places[kind]
  }
  return (
    <section class="card lines">
      <div class="row">
        <h2>{text.home.setUp}</h2>
        <button type="button" class="plain small end" onClick={() => hide(true)}>
          {text.home.hide}
        </button>
      </div>
      <progress value={done} max={steps.length} aria-label={text.home.done(done, steps.length)} />
      <ul>
        {steps.map(({ kind, isDone }) => {
          const label = text.home.steps[kind] ?? kind
          const place = placeOf(kind)
          return (
            <li key={kind}>
              {isDone || place === undefined ? (
                <span class={isDone ? 'soft' : undefined}>
                  <Icon node={isDone ? CircleCheck : Circle} class={isDone ? 'good' : 'soft'} />
                  <span class="truncate">{label}</span>
                  {isDone && <span class="hidden">{text.state.yes}</span>}
                </span>
              ) : (
                <a href={hrefOf(place)}>
                  <Icon node={Circle} class="soft" />
                  <span class="truncate">{label}</span>
                  <span class="soft end">{text.home.open}</span>
                </a>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
