/** More nouns of Chinese: things of work and home, by the English word that tools have for them. */
import type { WordTable } from './pack.ts'

const table = `
announcement 公告 通知;notice 通告;oven 烤箱;dishwasher 洗碗机;washer 洗衣机;fridge 冰箱;microwave 微波炉;kettle 水壶;coffee 咖啡;vacuum 吸尘器 扫地机
program 程序 模式;mode 模式设置;level 级别 等级;speed 速度 风速;brightness 亮度;humidity 湿度;pressure 压力;power 电源;battery 电池 电量;screen 屏幕;speaker 音箱;printer 打印机;router 路由器
shipment 发货单 运单 货件;delivery 送货 配送;supplier 供应商;vendor 卖家;item 物品;article 货品;shelf 货架;pallet 托盘;sku 货号;barcode 条码;unit 单位;weight 重量;height 高度;width 宽度;length 长度
contract 合同;quote 报价单 报价;receipt 收据 小票;tax 税款 税;fee 费用;fine 罚款;budget 预算案;expense 报销单 报销 开支;revenue 收入;profit 利润;cost 成本;salary 薪资;bonus 奖金;payroll 工资单
policy 保单 政策;claim 理赔;insurance 保险;mortgage 房贷;interest 利息;statement 对账单;currency 币种;share 股票;fund 基金;wallet 钱包余额
nurse 护士;symptom 症状;diagnosis 诊断书;allergy 过敏;vaccine 疫苗;surgery 手术;blood 血液;test 化验;clinic 诊所;visit 就诊
subscription 订阅服务;plan 套餐;campaign 营销活动;opportunity 销售机会;stage 阶段;pipeline 流水线;segment 分组;owner 负责人;assignee 经办人;deadline 截止日期;milestone 里程碑;sprint 迭代;story 故事;bug 缺陷 漏洞;release 版本发布;version 版本;feature 功能点
commit 提交记录;diff 差异;file 档案;function 函数;variable 变量;table 库表;index 索引;schema 表结构;backup 备份文件;snapshot 快照;cluster 集群;node 节点;pod 容器组;deployment 部署单;replica 副本;domain 域名;certificate 证书文件;firewall 防火墙;port 端口;memory 内存;disk 磁盘;cpu 处理器;process 进程;job 作业;queue 队列;cache 缓存;token 令牌;password 密码;key 密钥;role 角色;permission 权限;group 群组;team 团队;channel 群聊;thread 帖文;comment 评语;reaction 点赞
lesson 课时;class 课;membership 会籍;pickup 取件;radio 收音机;station 电台;semester 学期;homework 作业本;classroom 教室;school 学校;university 大学;degree 学位;book 课本;page 页码;chapter 章节;dictionary 词典;word 单词;sentence 句子;topic 话题;category 类别 分类;type 类型;label 备注名;folder 资料夹;photo 相片;document 文书;report 报告 报表;chart 图表;slide 幻灯片;form 表单;survey 问卷;vote 投票
airport 机场;platform 站台;gate 登机口;luggage 行李;passport 护照;visa 签证;map 地图;parking 停车位 停车场;car 车子;bike 自行车;driver 司机;ride 行程单;fuel 油量;charger 充电桩;traffic 路况;city 城镇;country 国家;street 街道;area 区域;location 位置;weather 天气预报;temperature 室温;rain 降雨;wind 风力
menu 菜单;meal 餐食;dish 菜;food 食物;grocery 食材 杂货;ingredient 配料;drink 饮料;waiter 服务员;reservation 订位;concert 演唱会;theater 剧院;museum 博物馆门票;game 比赛;score 比分;player 选手;match 赛事;exercise 运动;workout 健身;step 步数;calorie 卡路里;sleep 睡眠;heart 心率;diet 饮食
birthday 生日;holiday 节假日;schedule 时间表;agenda 议程;minute 会议纪要;invitation 邀请函;attendee 参会人;guest 来宾;host 主持人;venue 场地;gift 礼物;flower 鲜花;plant 植物 花草;pet 宠物;dog 狗;cat 猫;child 孩子;family 家人;friend 好友;neighbor 邻居
`

/** Things of work and home in Chinese. */
export const chineseThings: WordTable = Object.fromEntries(
  table
    .trim()
    .split(/[;\n]/)
    .map((entry) => {
      const [meaning = '', ...words] = entry.split(' ')
      return [meaning, words] as const
    }),
)
