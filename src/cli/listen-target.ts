import { CommandError } from './exit-codes.js';
import { DEFAULT_HTTP_PORT, DEFAULT_SMTP_PORT, type LocalServer, startLocalServer } from './local-server.js';
import { chooseTarget, openChoice, openTarget, type Target, type TargetFlags } from './target.js';

/** Where `webhooks listen` listens: the running server, or one of its own for as long as it runs. */
export async function openListenTarget(
  flags: TargetFlags,
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ target: Target; own: LocalServer | undefined }> {
  const choice = chooseTarget(flags, env, cwd);
  if (choice.kind !== 'embedded') return { target: await openChoice(choice), own: undefined };
  const { dataDir } = choice;
  const options = { host: '127.0.0.1', dataDir, apiKey: undefined };
  const own = await startLocalServer({ ...options, httpPort: DEFAULT_HTTP_PORT, smtpPort: DEFAULT_SMTP_PORT }).catch(
    (error: unknown) => {
      // The usual ports are another's; other commands find this server by its server.json all the same.
      if (error instanceof CommandError && /is in use/.test(error.message))
        return startLocalServer({ ...options, httpPort: 0, smtpPort: 0 });
      throw error;
    },
  );
  return { target: await openTarget(flags, env, cwd), own };
}
