/** The functions that acquire and release threads, and write heartbeats. */
import { heartbeatTimeout } from '../storage/liveness.ts'
import { flush } from './append-functions.ts'
import { headsOf, secondsOf } from './sql-text.ts'

/** After how long a row without a heartbeat is deleted, in milliseconds: its instance has counted as gone for long. */
const sweepTimeout = 20 * heartbeatTimeout

/** A claim is a heartbeat too, unless there was one in so many milliseconds. */
export const recentHeartbeat: number = heartbeatTimeout / 6

/** How each verdict on a claim is written in a result. */
export const claimVerdicts = { held: 0, acquired: 1, fenced: 2, quarantined: 3 } as const

/** The functions of claims and heartbeats. */
export function leaseFunctions(s: string): string {
  return [take(s), acquire(s), release(s), sign(s)].join('\n')
}

const claim = 'p_worker text, p_incarnation text, p_seen bigint, p_force int, p_claim text, p_gone text, p_copied bigint'
const taking = 'taken int, at bigint, holder text, instance text, host text, pid bigint, started text'

/**
 * Acquires a thread, or returns why not. A claimant that asks again with the same claim holds it already: the reply was lost. `p_gone` is an instance that is
 * known to be gone, though its last heartbeat is recent; `p_copied` is the epoch of which the thread is a copy, or -1. A thread without events takes the incarnation of the claim.
 *
 * The first pass takes no lock: of a thousand claimants almost all are refused, and write nothing.
 */
function take(s: string): string {
  const refused = (verdict: number, holder: string): string => `return query select ${verdict}, coalesce(head.epoch, 0), ${holder};
        return;`
  return `
create or replace function ${s}.take(p_here text, p_thread text, ${claim}) returns table (${taking}) language plpgsql as $$
#variable_conflict use_column
declare
  head record;
  living record;
begin
  loop
    if p_seen = 0 then
      perform ${s}.begin_thread(p_thread, p_incarnation, null, null, null) where not exists (select 1 from ${s}.threads t where t.name = p_thread);
    end if;
    for pass in 1 .. 2 loop
      if pass = 2 then
        perform 1 from ${s}.threads t where t.name = p_thread for no key update;
      end if;
      select t.id, t.seq, t.epoch, t.worker, t.instance, t.claim, t.quarantined, coalesce(t.incarnation, t.name) as incarnation into head
        from ${s}.threads t where t.name = p_thread;
      select i.id, i.host, i.pid, i.started into living from ${s}.instances i
        where i.id = head.instance and i.id <> p_gone and i.beat > now() - ${secondsOf(heartbeatTimeout)};
      if head.claim = p_claim then
        return query select ${claimVerdicts.acquired}, head.epoch, p_worker, p_here, null::text, null::bigint, null::text;
        return;
      elsif head.seq > 0 and head.incarnation <> p_incarnation then
        ${refused(claimVerdicts.fenced, 'null::text, null::text, null::text, null::bigint, null::text')}
      elsif coalesce(head.epoch, 0) <> p_seen or (p_force = 0 and living.id is not null) then
        ${refused(claimVerdicts.held, 'case when living.id is not null then head.worker end, living.id, living.host, living.pid, living.started')}
      elsif head.quarantined and p_copied < 0 then
        ${refused(claimVerdicts.quarantined, 'null::text, null::text, null::text, null::bigint, null::text')}
      end if;
    end loop;
    update ${s}.threads t set epoch = greatest(t.epoch + 1, p_copied), worker = p_worker, instance = p_here, claim = p_claim,
      incarnation = case when t.seq = 0 then nullif(p_incarnation, t.name) else t.incarnation end,
      hash = case when t.seq = 0 then ${s}.chain_start(t.name, p_incarnation) else t.hash end
      where t.id = head.id;
    exit when found;
  end loop;
  return query select ${claimVerdicts.acquired}, greatest(p_seen + 1, p_copied), p_worker, p_here, null::text, null::bigint, null::text;
end $$;`
}

const here = 'p_here text, p_host text, p_pid bigint, p_started text'
const claims =
  'p_threads text[], p_workers text[], p_incarnations text[], p_seen bigint[], p_forces int[], p_claims text[], p_gone text[], p_copied bigint[]'

/**
 * Acquires many threads in one commit; a thread may be in it more than once. What was acquired comes with its head. The commit is flushed in every
 * mode: a server that forgets an epoch would give it to two drivers.
 */
function acquire(s: string): string {
  const head = `(select row_to_json(h) from (${headsOf(s)} where t.name = p_threads[place]) h)`
  return `
create or replace function ${s}.acquire(${here}, ${claims}) returns table (${taking}, head json) language plpgsql as $$
#variable_conflict use_column
declare
  p_lazy constant int := 0;
  flushed text;
  verdict record;
begin
  ${flush}
  for place in 1 .. cardinality(p_threads) loop
    select * into verdict from ${s}.take(p_here, p_threads[place], p_workers[place], p_incarnations[place], p_seen[place], p_forces[place], p_claims[place], p_gone[place], p_copied[place]);
    return query select verdict.taken, verdict.at, verdict.holder, verdict.instance, verdict.host, verdict.pid, verdict.started,
      case when verdict.taken = ${claimVerdicts.acquired} then ${head} end;
  end loop;
  if exists (select 1 from ${s}.threads t where t.name = any(p_threads) and t.instance = p_here)
    and not exists (select 1 from ${s}.instances i where i.id = p_here and i.beat > now() - ${secondsOf(recentHeartbeat)}) then
    perform ${s}.sign(p_here, p_host, p_pid, p_started, 0);
  end if;
end $$;`
}

/** Ends leases of an instance, and returns the head of each thread. A later thread of the same name may be held under the same epoch (JOURNAL-20). */
function release(s: string): string {
  return `
create or replace function ${s}.release(p_here text, p_threads text[], p_epochs bigint[], p_incarnations text[]) returns setof json language plpgsql as $$
declare
  p_lazy constant int := 0;
  flushed text;
begin
  ${flush}
  for place in 1 .. cardinality(p_threads) loop
    update ${s}.threads t set worker = null, instance = null, claim = null
      where t.name = p_threads[place] and t.epoch = p_epochs[place] and t.instance = p_here
        and coalesce(t.incarnation, t.name) = p_incarnations[place];
    return next (select row_to_json(h) from (${headsOf(s)} where t.name = p_threads[place]) h);
  end loop;
end $$;`
}

/** Writes a heartbeat, and deletes rows of instances that have sent none for long. */
function sign(s: string): string {
  return `
create or replace function ${s}.sign(${here}, p_listening int) returns void language sql as $$
  delete from ${s}.instances where beat < now() - ${secondsOf(sweepTimeout)};
  insert into ${s}.instances as i (id, host, pid, started, beat, listening)
    values (p_here, p_host, p_pid, p_started, now(), case when p_listening = 1 then now() end)
    on conflict (id) do update set beat = excluded.beat, listening = coalesce(excluded.listening, i.listening)
$$;`
}
