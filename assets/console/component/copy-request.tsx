/** Copies what the console has asked for, as a command or as code. The token is a variable: it is not copied. */
import { text } from '../text/text.ts'
import { CopyButton } from './secret.tsx'

export function CopyRequest({ path }: { path: string }) {
  const address = new URL(path, location.origin).href
  return (
    <>
      <CopyButton
        label={text.action.copyCurl}
        value={`curl -H "Authorization: Bearer $TOKEN" '${address.replaceAll("'", '%27')}'`}
      />
      <CopyButton
        label={text.action.copyCode}
        value={`const reply = await fetch(${JSON.stringify(address)}, {\n  headers: { authorization: \`Bearer \${token}\` },\n})\nconst data = await reply.json()`}
      />
    </>
  )
}
