import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { api } from '../../api/api.ts'
import { readProblem } from '../../api/problem.ts'
import { useBalance, useRefreshCredits } from '../credits/use-balance.ts'
import type { PaymentResultState } from './PaymentResult.tsx'

/** Spec section 9. */
const checkEveryMs = 2_000
/** A payment is too dear to be given up for one lost answer. */
const checksBeforeGivingUp = 4

/** How a checkout ended (spec section 4, "Payment return"); `sessionId` is null where the address carries none. */
export function usePaymentResult(sessionId: string | null): PaymentResultState {
  const { data, isError } = useQuery(
    api.payments.sessionStatus.queryOptions({
      input: sessionId === null ? skipToken : { session_id: sessionId },
      staleTime: Number.POSITIVE_INFINITY,
      refetchInterval: ({ state }) =>
        state.status === 'success' && state.data?.status === 'open' ? checkEveryMs : false,
      retry: (failureCount, error) => failureCount < checksBeforeGivingUp - 1 && !isRefusal(error),
      retryDelay: checkEveryMs,
    }),
  )
  const completion = useCompletion(sessionId, data?.status === 'complete')
  const { credits, isFetching } = useBalance()

  if (sessionId === null) return { state: 'error', message: 'No payment session found' }
  if (isError) return { state: 'error', message: 'Failed to verify payment status' }
  if (data === undefined || data.status === 'open')
    return { state: 'processing', detail: data?.detail ?? null }
  if (data.status !== 'complete')
    return { state: 'error', message: 'Payment was not completed', detail: data.detail }
  return {
    state: 'paid',
    credits: completion === 'over' && !isFetching ? credits : null,
    email: data.customer_email,
  }
}

/** Asking again brings the same answer. */
function isRefusal(error: unknown): boolean {
  const { status } = readProblem(error)
  return status >= 400 && status < 500
}

/** Calls the completion step once the checkout is complete, ignores its failure, then asks for the balance again. */
function useCompletion(sessionId: string | null, isComplete: boolean): 'waiting' | 'over' {
  const { mutate, status } = useMutation(api.payments.completePayment.mutationOptions())
  const refresh = useRefreshCredits()
  const complete = useEffectEvent((session: string) =>
    mutate({ query: { session_id: session } }, { onSettled: () => void refresh() }),
  )
  useEffect(() => {
    if (sessionId !== null && isComplete) complete(sessionId)
  }, [sessionId, isComplete])
  return status === 'success' || status === 'error' ? 'over' : 'waiting'
}
