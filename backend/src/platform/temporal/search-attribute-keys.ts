import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common'
import { searchAttributes } from '@earmark/contracts/workflows'

/** By these an operator finds jobs. */
export const userIdKey = defineSearchAttributeKey(searchAttributes.userId, SearchAttributeType.KEYWORD)
export const episodeIdKey = defineSearchAttributeKey(searchAttributes.episodeId, SearchAttributeType.KEYWORD)
