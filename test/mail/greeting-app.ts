/** An application with a mail, as a process: `POST /api/greetings` sends one to each number. */
import { Type } from 'typebox'
import { runCommandLine } from '../../src/cli/command-line.ts'
import type { Feature } from '../../src/core/feature/feature.ts'
import { route } from '../../src/core/feature/route.ts'
import { inCatalogue } from '../../src/core/transaction.ts'
import { sendMail } from '../../src/mail/send.ts'
import { greetingFeature, secretUrl } from './mail-feature.ts'

const feature: Feature = {
  ...greetingFeature,
  permissions: { 'greeting:write': { description: 'Send greetings', role: 'Admin' } },
  routes: [
    route({
      method: 'POST',
      path: '/api/greetings',
      tag: 'Greetings',
      access: 'greeting:write',
      summary: 'Send mails',
      body: Type.Object({
        numbers: Type.Array(Type.Integer({ minimum: 0, maximum: 1e9 }), { maxItems: 100 }),
      }),
      status: 201,
      reply: Type.Object({}),
      handle: (context, { body }) =>
        inCatalogue(context, async (inside) => {
          const values = { name: 'Ada', url: secretUrl }
          for (const number of body.numbers)
            await sendMail(inside, 'test.greet', { to: `user${number}@acme.example`, values })
          return {}
        }),
    }),
  ],
}

process.exitCode = await runCommandLine(process.argv.slice(2), {
  features: [feature],
  mailLimits: { leaseMs: 5000, deadlineMs: 3000 },
})
