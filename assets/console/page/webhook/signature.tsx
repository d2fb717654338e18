/** Explains how the receiver verifies an attempt, with the values of that attempt. The secret is not shown. */
import { useApp } from '../../app-context.ts'
import { CopyButton } from '../../component/secret.tsx'
import { text } from '../../text/text.ts'
import type { Attempt, DeliveryWithAttempts } from './types.ts'

const { signature } = text.webhook

interface SignatureProps {
  event: DeliveryWithAttempts['event']
  attempt: Attempt
}

export function SignatureExplained({ event, attempt }: SignatureProps) {
  const { user } = useApp()
  const timestamp = headerOf(attempt, 'x-webhook-timestamp')
  const sent = headerOf(attempt, 'x-webhook-signature')
  // In the portal the id of the tenant, which is a part of the signed body, is not known.
  if (timestamp === null || sent === null || !user.tenantId) return null
  const signed = `${timestamp}.${bodyOf(event, user.tenantId)}`
  const command = `printf '%s' '${signed.replaceAll("'", "'\\''")}' | openssl dgst -sha256 -hmac "$WEBHOOK_SECRET"`
  return (
    <section class="card stack" aria-label={signature.title}>
      <h2>{signature.title}</h2>
      <p>{signature.text}</p>
      <ol class="stack">
        <li>
          <p>{signature.signed}</p>
          <pre>{signed}</pre>
        </li>
        <li>
          <p>{signature.compute}</p>
          <pre>{command}</pre>
          <CopyButton value={command} />
        </li>
        <li>
          <p>{signature.compare}</p>
          {sent.split(',').map((each) => (
            <pre key={each}>{each}</pre>
          ))}
        </li>
        <li>{signature.tolerance}</li>
      </ol>
    </section>
  )
}

function headerOf({ requestHeaders }: Attempt, name: string): string | null {
  return Object.entries(requestHeaders).find(([each]) => each.toLowerCase() === name)?.[1] ?? null
}

/** @returns the sent body: members in this order, without white space */
function bodyOf({ id, type, createdAt, data }: DeliveryWithAttempts['event'], tenantId: string): string {
  return JSON.stringify({ id, type, timestamp: createdAt, tenantId, data })
}
