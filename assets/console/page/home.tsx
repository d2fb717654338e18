import { useApp } from '../app-context.ts'
import { capital } from '../describe.ts'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'

export function HomePage() {
  const { user, entities, can } = useApp()
  const creatable = entities.find(({ operations }) => operations.create !== undefined)
  const steps: [label: string, href: string][] = [
    ...(creatable === undefined
      ? []
      : ([[text.home.firstRow(creatable.label), hrefOf(`/entities/${creatable.name}/new`)]] as [
          string,
          string,
        ][])),
    ...(can('invitation:write') ? ([[text.home.invite, hrefOf('/invitations')]] as [string, string][]) : []),
    ...(can('webhook:write') ? ([[text.home.webhook, hrefOf('/subscriptions')]] as [string, string][]) : []),
    [text.home.reference, hrefOf('/developers')],
  ]
  return (
    <div class="stack">
      <h1>{text.home.title(user.firstName)}</h1>
      <section class="card stack">
        <h2>{text.home.next}</h2>
        <ol>
          {steps.slice(0, 3).map(([label, href]) => (
            <li key={href}>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ol>
      </section>
      <div class="cards">
        {entities.map((entity) => (
          <a class="card" key={entity.name} href={hrefOf(`/entities/${entity.name}`)}>
            <h2>{capital(entity.labels)}</h2>
            <p class="soft">{entity.description}</p>
          </a>
        ))}
      </div>
    </div>
  )
}
